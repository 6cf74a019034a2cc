import { cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Random, seeded } from "../harness/random.ts"
import { type DiskControl, makeDisk } from "./disk-control.ts"
import type { Survival } from "./disk-file.ts"
import { DiskWorld, type Promises } from "./disk-world.ts"
import { recordsIn } from "./records.ts"

/** Where a scenario plays: the folder that is on the recorded disk, and one beside it for logs. */
export interface Stage {
  readonly root: string
  readonly logs: string
  readonly disk: DiskControl
  readonly random: Random
}

/** Compares what a cut has left with what had been answered when the disk was at the position. Problems in words. */
export type Check = (left: string, position: number) => Promise<string[]>

export interface Scenario {
  readonly name: string
  /** Makes what is there before, on a disk that is not recorded. */
  prepare(root: string): Promise<void> | void
  /** Uses the disk, and notes what it is answered. */
  act(stage: Stage): Promise<Check>
}

export interface Recording {
  readonly name: string
  readonly journal: Uint8Array
  readonly end: number
  /** As it was before, and for the replay of a cut. */
  readonly base: string
  readonly inodes: ReadonlyMap<string, number>
  readonly world: DiskWorld
  readonly check: Check
}

const JOURNAL_BYTES = 256 * 2 ** 20

export interface RecordOptions {
  readonly shim: string
  readonly seed: number
  /** Done to the disk before it is used. */
  readonly arrange?: (disk: DiskControl) => void
}

/** Plays a scenario once on a disk that remembers everything. */
export async function record(scenario: Scenario, folder: string, options: RecordOptions): Promise<Recording> {
  const { shim, seed, arrange = () => undefined } = options
  const [root, logs, base] = [join(folder, "disk"), join(folder, "logs"), join(folder, "base")]
  for (const path of [folder, root, logs]) mkdirSync(path)
  await scenario.prepare(root)
  cpSync(root, base, { recursive: true })
  const world = new DiskWorld(root)
  const disk = makeDisk(join(folder, "journal"), { shim, root, journalBytes: JOURNAL_BYTES })
  arrange(disk)
  const check = caught(await scenario.act({ root, logs, disk, random: seeded(seed) }))
  const { name } = scenario
  return { name, journal: disk.bytes, end: disk.position(), base, inodes: world.inodes(), world, check }
}

/** What a damaged file makes SQLite throw is a problem like any other. */
function caught(check: Check): Check {
  return (left, position) => check(left, position).catch((cause: unknown) => [String(cause)])
}

/** A power cut: where in the journal, and what it does to what was not synced. All of it follows from the seed. */
export interface Cut {
  readonly position: number
  readonly seed: number
  readonly survival: Survival
  readonly promises: Promises
}

const SHARES = [0, 0.1, 0.5, 0.9, 1]
const SECTOR = 512
const PAGE = 4_096
const PIECES = [SECTOR, PAGE, Number.MAX_SAFE_INTEGER]

/** Cuts in the order of their places: a third anywhere, a third around syncs and changed names, a third just after a sync ended. */
export function chooseCuts({ journal, end }: Recording, count: number, seed: number, promises: Promises): Cut[] {
  const random = seeded(seed)
  const [anywhere, around, after]: [number[], number[], number[]] = [[], [], []]
  let since = Number.POSITIVE_INFINITY
  for (const { at, kind } of recordsIn(journal, end)) {
    anywhere.push(at)
    since = kind === "sync ends" ? 0 : since + 1
    if (since <= 3) after.push(at)
    if (kind !== "write") around.push(at)
  }
  const kinds = [anywhere, around, after].filter(({ length }) => length > 0)
  if (kinds.length === 0) return []
  const cuts = Array.from({ length: count }, (): Cut => {
    const survival = { share: random.pick(SHARES), pieceBytes: random.pick(PIECES) }
    const position = random.next() < 1 / 50 ? end : random.pick(random.pick(kinds))
    return { position, seed: random.below(2 ** 31), survival, promises }
  })
  return cuts.sort((a, b) => a.position - b.position)
}

/** Writes what the cut leaves of the recorded disk. Cuts have to come in the order of their places. */
export function makeCut(
  { world, journal }: Recording,
  { position, seed, survival, promises }: Cut,
  left: string,
): void {
  world.advance(journal, position)
  world.writeAfterCut(left, seeded(seed), survival, promises)
}
