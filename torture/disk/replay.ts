// bun torture/disk/replay.ts FOLDER: makes again what a power cut has left, out of its recording, and lists what led to it.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { seeded } from "../harness/random.ts"
import { DiskWorld } from "./disk-world.ts"
import type { Kept } from "./keep-for-replay.ts"
import { type DiskRecord, recordsIn } from "./records.ts"

const LISTED = 40

const folder = process.argv[2]
if (folder === undefined) throw new Error("which folder?")
const { root, cut, inodes } = JSON.parse(readFileSync(join(folder, "cut.json"), "utf8")) as Kept
const journal = readFileSync(join(folder, "journal"))
const world = new DiskWorld(root, join(folder, "base"), new Map(inodes))
world.advance(journal, cut.position)
const left = join(folder, `left-${process.pid}`)
world.writeAfterCut(left, seeded(cut.seed), cut.survival, cut.promises)

const names = new Map(inodes.map(([path, inode]) => [inode, path]))
function inWords(record: DiskRecord): string {
  if (record.kind === "create") names.set(record.inode, record.path.slice(root.length + 1))
  const { bytes, ...rest } = { bytes: undefined, ...record }
  const name = "inode" in record ? names.get(record.inode) : ""
  return `${JSON.stringify(rest)} ${name}${bytes === undefined ? "" : ` ${(bytes as Uint8Array).length} bytes`}`
}

const told = [...recordsIn(journal, cut.position)].map(inWords)
for (const line of told.slice(-LISTED)) console.log(line)
console.log(`What the cut at ${cut.position} left (${JSON.stringify(cut.survival)}, ${cut.promises}): ${left}`)
