// The Debian package: executable, systemd unit, a user of its own, and its data directory /var/lib/adbooth.
import { description, version } from "../../package.json"
import { ar, type Effort, type Entry, folder, tarGz } from "./pack.ts"

const SCRIPTS = ["postinst", "prerm", "postrm"]

/** The unit of deploy/, for the user and the place that this package has. */
async function unit(): Promise<string> {
  const text = await Bun.file("deploy/adbooth.service").text()
  return text
    .replace(/^(?:#.*\n)+\n/, "")
    .replace("/usr/local/bin/adbooth serve", "/usr/bin/adbooth serve")
    .replace("DynamicUser=yes\n", "")
    .replace("User=adbooth\n", "User=adbooth\nGroup=adbooth\n")
}

async function control(architecture: string, installedBytes: number): Promise<Entry[]> {
  const fields = [
    "Package: adbooth",
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    "Maintainer: The Adbooth contributors",
    `Installed-Size: ${Math.ceil(installedBytes / 1024)}`,
    "Depends: libc6, passwd",
    "Section: web",
    "Priority: optional",
    `Description: ${description}`,
  ]
  const scripts = SCRIPTS.map(async (name) => ({
    name: `./${name}`,
    content: await Bun.file(`deploy/packages/deb-${name}.sh`).text(),
    mode: 0o755,
  }))
  return [{ name: "./control", content: `${fields.join("\n")}\n` }, ...(await Promise.all(scripts))]
}

export async function debPackage(architecture: string, executable: Uint8Array, effort?: Effort): Promise<Uint8Array> {
  const folders = ["./", "./usr/", "./usr/bin/", "./usr/lib/", "./usr/lib/systemd/", "./usr/lib/systemd/system/"]
  const documents = ["./usr/share/", "./usr/share/doc/", "./usr/share/doc/adbooth/"]
  const data: Entry[] = [
    ...[...folders, ...documents].map((name) => folder(name)),
    { name: "./usr/bin/adbooth", content: executable, mode: 0o755 },
    { name: "./usr/lib/systemd/system/adbooth.service", content: await unit() },
    { name: "./usr/share/doc/adbooth/copyright", content: await Bun.file("LICENSE").text() },
  ]
  return ar([
    { name: "debian-binary", content: Buffer.from("2.0\n") },
    { name: "control.tar.gz", content: await tarGz(await control(architecture, executable.length)) },
    { name: "data.tar.gz", content: await tarGz(data, effort) },
  ])
}
