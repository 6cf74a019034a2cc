// The npm packages: `adbooth`, a launcher, and one package for each platform that carries the executable. The launcher names all of them
// as optional; npm installs the one that fits the machine, and no script runs at the installation.
import { description, license, version } from "../../package.json"
import { type Effort, tarGz } from "./pack.ts"
import type { Target } from "./targets.ts"

const nameOf = ({ npm: { os, cpu } }: Target) => `@adbooth/${os}-${cpu}`

async function common() {
  const files = ["LICENSE", "README.md"].map(async (file) => ({
    name: `package/${file}`,
    content: await Bun.file(file).text(),
  }))
  return { files: await Promise.all(files), fields: { version, description, license } }
}

const manifest = (fields: object) => ({ name: "package/package.json", content: `${JSON.stringify(fields, null, 2)}\n` })

export async function platformPackage(target: Target, executable: Uint8Array, effort?: Effort): Promise<Uint8Array> {
  const { files, fields } = await common()
  const { os, cpu, libc } = target.npm
  const limits = { os: [os], cpu: [cpu], ...(libc !== undefined && { libc: [libc] }) }
  const program = { name: `package/bin/${target.program}`, content: executable, mode: 0o755 }
  return tarGz([manifest({ name: nameOf(target), ...fields, ...limits }), ...files, program], effort)
}

export async function launcherPackage(targets: readonly Target[]): Promise<Uint8Array> {
  const { files, fields } = await common()
  const optionalDependencies = Object.fromEntries(targets.map((target) => [nameOf(target), version]))
  return tarGz([
    manifest({
      name: "adbooth",
      ...fields,
      bin: { adbooth: "adbooth.cjs" },
      engines: { node: ">=20" },
      optionalDependencies,
    }),
    ...files,
    {
      name: "package/adbooth.cjs",
      content: await Bun.file("deploy/packages/npm-launcher.cjs").text(),
      mode: 0o755,
    },
  ])
}
