// npm run release [-- --target NAME...]: writes everything that a release consists of to dist/release: archives, Debian packages,
// the bill of materials, license notices and SHA256SUMS. Publishes nothing: .github/workflows/release.yml does.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { author, description, version } from "../package.json"
import { buildFor, TARGETS } from "./build.ts"

const FOLDER = "dist/release"
const DOCUMENTS = ["LICENSE", "CHANGELOG.md", "dist/THIRD-PARTY-NOTICES", "dist/adbooth.cdx.json"]

type TargetName = keyof typeof TARGETS

function run(...command: string[]): void {
  const { success } = Bun.spawnSync(command, { stdio: ["ignore", "inherit", "inherit"] })
  if (!success) throw new Error(`${command.join(" ")} failed.`)
}

/** adbooth-linux-x64.tar.gz with the program, the licenses and the files of deploy/. */
function archive(name: TargetName, executable: string): void {
  const folder = `adbooth-${name}`
  const staging = join("dist/staging", folder)
  mkdirSync(staging, { recursive: true })
  cpSync(executable, join(staging, "adbooth"))
  for (const document of DOCUMENTS) cpSync(document, join(staging, basename(document)))
  cpSync("deploy", join(staging, "deploy"), { recursive: true })
  run("tar", "-C", "dist/staging", "--owner=0", "--group=0", "-czf", join(FOLDER, `${folder}.tar.gz`), folder)
}

/** The program, a systemd unit and the scripts of deploy/debian that create its user. */
function debianPackage(architecture: string, executable: string): void {
  const root = `dist/staging/deb-${architecture}`
  const documents = join(root, "usr/share/doc/adbooth")
  for (const folder of ["DEBIAN", "usr/bin", "usr/lib/systemd/system"])
    mkdirSync(join(root, folder), { recursive: true })
  mkdirSync(documents, { recursive: true })
  cpSync(executable, join(root, "usr/bin/adbooth"))
  cpSync("deploy/adbooth.service", join(root, "usr/lib/systemd/system/adbooth.service"))
  for (const document of DOCUMENTS) cpSync(document, join(documents, basename(document)))
  cpSync("deploy/adbooth.env", join(documents, "adbooth.env"))
  for (const script of readdirSync("deploy/debian")) cpSync(`deploy/debian/${script}`, join(root, "DEBIAN", script))
  writeFileSync(
    join(root, "DEBIAN/control"),
    [
      "Package: adbooth",
      `Version: ${version}`,
      `Architecture: ${architecture}`,
      `Maintainer: ${author}`,
      "Depends: libc6 (>= 2.17), passwd",
      "Section: web",
      "Priority: optional",
      `Description: ${description.replace(/\.$/, "")}`,
      "",
    ].join("\n"),
  )
  run("chmod", "-R", "u=rwX,go=rX", root)
  run(
    "chmod",
    "755",
    join(root, "usr/bin/adbooth"),
    ...readdirSync("deploy/debian").map((script) => join(root, "DEBIAN", script)),
  )
  run("dpkg-deb", "--root-owner-group", "--build", root, join(FOLDER, `adbooth_${version}_${architecture}.deb`))
}

const { target = Object.keys(TARGETS) } = parseArgs({
  options: { target: { type: "string", multiple: true } },
}).values

rmSync(FOLDER, { recursive: true, force: true })
rmSync("dist/staging", { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
run(process.execPath, "scripts/sbom.ts")
for (const name of Object.keys(TARGETS).filter((name): name is TargetName => target.includes(name))) {
  const executable = await buildFor(name)
  archive(name, executable)
  const { os, cpu } = TARGETS[name]
  if (os === "linux") debianPackage(cpu === "x64" ? "amd64" : "arm64", executable)
}
for (const document of ["dist/THIRD-PARTY-NOTICES", "dist/adbooth.cdx.json"])
  cpSync(document, join(FOLDER, basename(document)))

let sums = ""
for (const file of readdirSync(FOLDER).sort()) {
  const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(join(FOLDER, file)).bytes()).digest("hex")
  sums += `${digest}  ${file}\n`
}
await Bun.write(join(FOLDER, "SHA256SUMS"), sums)
process.stdout.write(sums)
