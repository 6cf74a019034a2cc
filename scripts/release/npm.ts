// The npm packages: `adbooth`, a launcher, and one package for each platform that carries the executable. The launcher names all of them
// as optional; npm installs the one that fits the machine, and no script runs at the installation.
import { version } from "../../package.json"
import { legalDocuments, readme } from "./documents.ts"
import { type Effort, tarGz } from "./pack.ts"
import { npmFields, projectOf } from "./project.ts"
import type { Target } from "./targets.ts"

const nameOf = ({ npm: { os, cpu } }: Target) => `@adbooth/${os}-${cpu}`

const documents = () => [...legalDocuments(), readme()].map((entry) => ({ ...entry, name: `package/${entry.name}` }))

const manifest = (fields: object) => ({ name: "package/package.json", content: `${JSON.stringify(fields, null, 2)}\n` })

export async function platformPackage(target: Target, executable: Uint8Array, effort?: Effort): Promise<Uint8Array> {
  const { os, cpu, libc } = target.npm
  const limits = { os: [os], cpu: [cpu], ...(libc !== undefined && { libc: [libc] }) }
  const program = { name: `package/bin/${target.program}`, content: executable, mode: 0o755 }
  return tarGz(
    [manifest({ name: nameOf(target), ...npmFields(projectOf()), ...limits }), ...documents(), program],
    effort,
  )
}

export async function launcherPackage(targets: readonly Target[]): Promise<Uint8Array> {
  const optionalDependencies = Object.fromEntries(targets.map((target) => [nameOf(target), version]))
  return tarGz([
    manifest({
      name: "adbooth",
      ...npmFields(projectOf()),
      bin: { adbooth: "adbooth.cjs" },
      engines: { node: ">=20" },
      optionalDependencies,
    }),
    ...documents(),
    {
      name: "package/adbooth.cjs",
      content: await Bun.file("deploy/packages/npm-launcher.cjs").text(),
      mode: 0o755,
    },
  ])
}
