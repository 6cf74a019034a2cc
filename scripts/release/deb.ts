// The Debian package: executable, systemd unit, a user of its own, and its data directory /var/lib/adbooth.
import { description, version } from "../../package.json"
import { deployFiles, legalDocuments } from "./documents.ts"
import { ar, COMMITTED_AT, type Effort, type Entry, folder, tarGz } from "./pack.ts"
import { projectOf } from "./project.ts"

const SCRIPTS = ["preinst", "postinst", "prerm", "postrm"]

const DOCUMENTS = "./usr/share/doc/adbooth"
const LONG_DESCRIPTION = [
  " A small seller of ads, such as a podcast, a newsletter or a local publisher,",
  " runs it to sell to machines: the seller's systems report what was",
  " delivered through an HTTP API, buyers' agents find what is sold through AdCP",
  " and MCP, and people of both sides look at the same figures in a web app.",
  " .",
  " Everything is one program with an embedded database in /var/lib/adbooth, which",
  " stays when the package is removed. PostgreSQL can take its place.",
]

async function control(architecture: string, data: readonly Entry[]): Promise<Entry[]> {
  const { address, maintainer } = projectOf()
  const bytes = data.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  const fields = [
    "Package: adbooth",
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    "Depends: libc6 (>= 2.17), passwd",
    "Section: web",
    "Priority: optional",
    ...(address === null ? [] : [`Homepage: ${address}`]),
    "Description: sells ads to buyers' agents, reports what was delivered",
    ...LONG_DESCRIPTION,
  ]
  const scripts = SCRIPTS.map(async (name) => ({
    name: `./${name}`,
    content: await Bun.file(`deploy/packages/deb-${name}.sh`).text(),
    mode: 0o755,
  }))
  const sums = data
    .filter(({ name }) => !name.endsWith("/"))
    .map(({ name, content }) => `${new Bun.CryptoHasher("md5").update(content).digest("hex")}  ${name.slice(2)}\n`)
  return [
    { name: "./control", content: `${fields.join("\n")}\n` },
    { name: "./md5sums", content: sums.join("") },
    ...(await Promise.all(scripts)),
  ]
}

const gzip = (name: string, content: Uint8Array | string): Entry => ({
  name: `${name}.gz`,
  content: Bun.gzipSync(Buffer.from(content), { level: 9 }),
})

/** As Debian's tools read it; CHANGELOG.md, beside it, says what changed. */
function changelog(): string {
  const date = COMMITTED_AT.toUTCString().replace("GMT", "+0000")
  return `adbooth (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${projectOf().maintainer}  ${date}\n`
}

async function copyright(): Promise<string> {
  const said = (await Bun.file("LICENSE").text()).trim().replaceAll(/^$/gm, ".").replaceAll(/^/gm, " ")
  const [, holder = ""] = /^\s*Copyright \(c\) (.*)$/m.exec(said) ?? []
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Adbooth
Comment: THIRD-PARTY-NOTICES.gz names the works of others in the executable.

Files: *
Copyright: ${holder}
License: Expat

License: Expat
${said}
`
}

/** What `adbooth --help` says, as a manual page. */
function manual(): string {
  const { stdout } = Bun.spawnSync([process.execPath, "src/main.ts", "--help"], { stderr: "ignore" })
  const help = stdout
    .toString()
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&")
  return `.TH ADBOOTH 1 "" "adbooth ${version}"\n.SH NAME\nadbooth \\- ${description}\n.SH DESCRIPTION\n.nf\n${help}.fi\n`
}

/** With every folder that leads to a file. */
function withFolders(entries: readonly Entry[]): Entry[] {
  const folders = new Set(["./"])
  for (const { name } of entries)
    for (let at = name.indexOf("/", 2); at > 0; at = name.indexOf("/", at + 1)) folders.add(name.slice(0, at + 1))
  return [...[...folders].sort().map((name) => folder(name)), ...entries]
}

// What a compiled Bun program is; and a reload, in which a new process takes over, is nothing that Debian's helpers know.
const OVERRIDES = [
  "adbooth: unstripped-binary-or-object [usr/bin/adbooth]",
  "adbooth: embedded-library *",
  "adbooth: hardening-no-pie [usr/bin/adbooth]",
  "adbooth: hardening-no-relro [usr/bin/adbooth]",
  "adbooth: maintainer-script-calls-systemctl *",
]

export async function debPackage(architecture: string, executable: Uint8Array, effort?: Effort): Promise<Uint8Array> {
  const legal = legalDocuments().filter(({ name }) => name !== "LICENSE")
  const data = withFolders([
    { name: "./usr/bin/adbooth", content: executable, mode: 0o755 },
    { name: "./usr/lib/systemd/system/adbooth.service", content: await Bun.file("deploy/adbooth.service").text() },
    gzip("./usr/share/man/man1/adbooth.1", manual()),
    { name: "./usr/share/lintian/overrides/adbooth", content: `${OVERRIDES.join("\n")}\n` },
    { name: `${DOCUMENTS}/copyright`, content: await copyright() },
    gzip(`${DOCUMENTS}/changelog`, changelog()),
    gzip(`${DOCUMENTS}/CHANGELOG.md`, await Bun.file("CHANGELOG.md").text()),
    ...legal.map(({ name, content }) => gzip(`${DOCUMENTS}/${name}`, content)),
    ...deployFiles().map((entry) => ({ ...entry, name: `${DOCUMENTS}/${entry.name}`, mode: 0o644 })),
  ])
  return ar([
    { name: "debian-binary", content: Buffer.from("2.0\n") },
    { name: "control.tar.gz", content: await tarGz(await control(architecture, data)) },
    { name: "data.tar.gz", content: await tarGz(data, effort) },
  ])
}
