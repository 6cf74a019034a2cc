// npm run release -- --dry-run [--target NAME ...] [--from URL]: makes everything that a release consists of in dist/release: archives,
// npm packages, Debian packages, the container image, install.sh, the bill of materials, checksums and their signature. It publishes
// nothing: .github/workflows/release.yml does that with these files. URL is where they will be, for install.sh.
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import changelog from "../CHANGELOG.md" with { type: "text" }
import { version } from "../package.json"
import { debPackage } from "./release/deb.ts"
import { deployFiles, legalDocuments, readme } from "./release/documents.ts"
import { imageArchive, type LinuxExecutable } from "./release/image.ts"
import { launcherPackage, platformPackage } from "./release/npm.ts"
import { sha256, tarGz } from "./release/pack.ts"
import { projectOf } from "./release/project.ts"
import { TARGETS, type Target } from "./release/targets.ts"

const FOLDER = "dist/release"
// A key of `ssh-keygen -t ed25519`; whoever downloads checks with `ssh-keygen -Y verify`.
const KEY = process.env["RELEASE_SIGNING_KEY"]

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean" },
    target: { type: "string", multiple: true },
    from: { type: "string" },
    "without-image": { type: "boolean" },
  },
})
if (!values["dry-run"]) {
  process.stderr.write("Only --dry-run works here: releases are published by .github/workflows/release.yml.\n")
  process.exit(2)
}
const targets = TARGETS.filter(({ name }) => values.target?.includes(name) ?? true)

const sums: string[] = []

async function write(name: string, content: Uint8Array | string): Promise<void> {
  await Bun.write(join(FOLDER, name), content)
  sums.push(`${sha256(content)}  ${name}\n`)
  process.stdout.write(`${FOLDER}/${name} (${(Buffer.byteLength(content) / 1024 / 1024).toFixed(1)} MiB)\n`)
}

function run(command: readonly string[]): void {
  const { success } = Bun.spawnSync([...command], { stdio: ["ignore", "inherit", "inherit"] })
  if (!success) throw new Error(`${command.join(" ")} failed`)
}

async function packagesOf(target: Target): Promise<LinuxExecutable | null> {
  const executable = await Bun.file(`dist/adbooth-${target.name}${target.program.slice("adbooth".length)}`).bytes()
  const folder = `adbooth-${target.name}`
  const documents = [...legalDocuments(), readme(), ...deployFiles(), { name: "CHANGELOG.md", content: changelog }].map(
    (entry) => ({ ...entry, name: `${folder}/${entry.name}` }),
  )
  const program = { name: `${folder}/${target.program}`, content: executable, mode: 0o755 }
  await write(`${folder}.tar.gz`, await tarGz([program, ...documents]))
  await write(`npm-${target.npm.os}-${target.npm.cpu}-${version}.tgz`, await platformPackage(target, executable))
  const { architecture } = target
  if (architecture === undefined) return null
  const deb = `adbooth_${version}_${architecture}.deb`
  await write(deb, await debPackage(architecture, executable))
  if (Bun.which("lintian") === null) process.stdout.write(`NOT CHECKED: ${deb}, because lintian is not here.\n`)
  else run(["lintian", "--allow-root", "--fail-on", "error,warning", join(FOLDER, deb)])
  return { architecture, executable }
}

function sign(): void {
  if (KEY === undefined) {
    process.stdout.write("NOT SIGNED: RELEASE_SIGNING_KEY names no key file.\n")
    return
  }
  run(["ssh-keygen", "-Y", "sign", "-f", KEY, "-n", "adbooth-release", join(FOLDER, "SHA256SUMS")])
}

await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
run([process.execPath, "scripts/build.ts", ...targets.flatMap(({ name }) => ["--target", name])])
run([process.execPath, "scripts/sbom.ts"])
if (projectOf().address === null)
  process.stdout.write("NO ADDRESS: set homepage in package.json before anything of this is published.\n")

const linux: LinuxExecutable[] = []
for (const target of targets) {
  const made = await packagesOf(target)
  if (made !== null) linux.push(made)
}
await write(`npm-adbooth-${version}.tgz`, await launcherPackage(targets))
if (linux.length > 0 && !values["without-image"]) await write(`adbooth-image-${version}.tar`, await imageArchive(linux))
await write("install.sh", (await Bun.file("deploy/packages/install.sh").text()).replace("@RELEASE@", values.from ?? ""))
for (const { name, content } of legalDocuments()) await write(name, content)
await Bun.write(join(FOLDER, "SHA256SUMS"), sums.join(""))
sign()
