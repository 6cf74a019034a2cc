// The C library that the executable is linked to, for any processor, from the Debian (or Ubuntu) mirror that this machine uses.
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { Part } from "./bill.ts"
import type { Entry } from "./pack.ts"

type Architecture = "amd64" | "arm64"

const NEEDED = "{ld-linux-*.so.*,libc.so.6,libm.so.6,libdl.so.2,libpthread.so.0}"
// Where executables look for the loader.
const LOADER_FOLDER = { amd64: "lib64", arm64: "lib" } as const
const LIBRARY_FOLDER = { amd64: "lib/x86_64-linux-gnu", arm64: "lib/aarch64-linux-gnu" } as const

async function run(command: readonly string[], cwd: string): Promise<void> {
  const done = Bun.spawnSync([...command], { cwd, stdout: "ignore", stderr: "pipe" })
  if (!done.success) throw new Error(`${command[0]} failed: ${done.stderr.toString()}`)
}

interface Libc {
  readonly entries: Entry[]
  readonly part: Part
}

const fetched = new Map<Architecture, Promise<Libc>>()

/** What an image needs of the C library, and what is to be said about it. */
export function libcFor(architecture: Architecture): Promise<Libc> {
  const libc = fetched.get(architecture) ?? fetchLibc(architecture)
  fetched.set(architecture, libc)
  return libc
}

async function fetchLibc(architecture: Architecture): Promise<Libc> {
  if (Bun.which("apt-get") === null)
    throw new Error("the C library for the image comes from apt-get, which is not here")
  const work = await mkdtemp(join(tmpdir(), "adbooth-libc-"))
  try {
    for (const name of ["lists/partial", "archives/partial", "root"]) await mkdir(join(work, name), { recursive: true })
    await Bun.write(join(work, "status"), "")
    // Lists and state of its own: the machine's are for its own processor.
    const options = [
      `APT::Architecture=${architecture}`,
      `APT::Architectures=${architecture}`,
      `Dir::State=${work}`,
      `Dir::State::lists=${work}/lists`,
      `Dir::State::status=${work}/status`,
      `Dir::Cache=${work}`,
      `APT::Sandbox::User=`,
    ].flatMap((option) => ["-o", option])
    await run(["apt-get", "-qq", ...options, "update"], work)
    await run(["apt-get", "-qq", ...options, "download", "libc6"], work)
    const [file = ""] = [...new Bun.Glob("libc6_*.deb").scanSync(work)]
    await run(["dpkg-deb", "-x", file, "root"], work)
    const root = join(work, "root")
    return { entries: await entriesFrom(root, architecture), part: await partOf(root, file) }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function partOf(root: string, file: string): Promise<Part> {
  const [, version = ""] = decodeURIComponent(file).split("_")
  const license = "LGPL-2.1-or-later"
  return {
    component: {
      type: "library",
      "bom-ref": "libc6",
      name: "glibc",
      version,
      purl: `pkg:deb/debian/libc6@${encodeURIComponent(version)}`,
      licenses: [{ expression: license }],
    },
    license,
    notice: await Bun.file(join(root, "usr/share/doc/libc6/copyright")).text(),
  }
}

async function entriesFrom(root: string, architecture: Architecture): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const path of [...new Bun.Glob(`**/*-linux-gnu/${NEEDED}`).scanSync(root)].sort()) {
    const name = basename(path)
    const place = name.startsWith("ld-") ? LOADER_FOLDER[architecture] : LIBRARY_FOLDER[architecture]
    entries.push({ name: `${place}/${name}`, content: await Bun.file(join(root, path)).bytes(), mode: 0o755 })
  }
  if (entries.length !== 5)
    throw new Error(`libc6 has ${entries.map(({ name }) => name).join(", ")}, not what is needed`)
  return entries
}
