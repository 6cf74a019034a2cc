import { rmSync } from "node:fs"
import { join } from "node:path"
import { buildShim } from "../disk/build-shim.ts"
import { differences } from "../disk/differences.ts"
import type { Promises } from "../disk/disk-world.ts"
import { keepForReplay } from "../disk/keep-for-replay.ts"
import { type Cut, chooseCuts, makeCut, type Recording, record, type Scenario } from "../disk/recording.ts"
import { backups } from "../disk/scenarios/backup.ts"
import { firstStart } from "../disk/scenarios/first-start.ts"
import { imports } from "../disk/scenarios/import.ts"
import { type Furnished, type LoadKind, load, type Tally } from "../disk/scenarios/load.ts"
import { BEFORE, restores } from "../disk/scenarios/restore.ts"
import { upgrade } from "../disk/scenarios/upgrade.ts"
import { furnish } from "../harness/booth.ts"
import { eachOf } from "../harness/each-of.ts"
import { type Part, scratch } from "../harness/part.ts"
import { type Random, seeded } from "../harness/random.ts"
import { makeOperator } from "../harness/visitor.ts"

const LINES = 600
const PASSWORD = "a long password for the operator"
// Cuts of one round, by how much there is to cut.
const CUTS_UNDER_LOAD = 40
const CUTS_ELSEWHERE = 12
const AT_A_TIME = 2
// A round on each kind of file system; what POSIX promises is the least.
const PROMISES: readonly Promises[] = ["posix", "posix", "ordered"]
const TELL_EVERY = 100
// With few cuts not everything is recorded: that takes longer than to cut it.
const OTHERS_IN_SHORT = 3

interface Run {
  readonly folder: string
  readonly shim: string
  readonly cuts: number
  readonly random: Random
  readonly furnished: Furnished
  readonly tally: Tally
  readonly problems: string[]
  /** What was recorded and cut. */
  readonly names: Set<string>
  made: number
  recordings: number
}

export const powerCut: Part = {
  name: "power-cut",
  promise:
    "whatever was answered survives a power cut at any moment: items, affiliate figures, keys, imports, backups, restores; the file is sound and the server starts",
  async run({ powerCuts, seed }) {
    using folder = scratch()
    const shim = buildShim(folder.path)
    if ("skipped" in shim) return shim
    const booth = await furnish(join(folder.path, "data"), { lines: LINES })
    await makeOperator(booth.data, PASSWORD)
    const run: Run = {
      folder: folder.path,
      shim: shim.path,
      cuts: powerCuts,
      random: seeded(seed),
      furnished: { booth, password: PASSWORD },
      tally: { items: 0, rows: 0, keys: 0 },
      problems: [],
      names: new Set(),
      made: 0,
      recordings: 0,
    }
    for (let round = 0; run.made < powerCuts; round++)
      await playRound(run, PROMISES[round % PROMISES.length] ?? "posix")
    const lies = await liesFound(run)
    if (lies === 0) run.problems.push("a disk that lies about its syncs was not noticed: these cuts prove nothing")
    const { items, rows, keys } = run.tally
    const count = (value: number) => value.toLocaleString("en")
    return {
      done: `${count(run.made)} power cuts in ${run.recordings} recorded runs (${[...run.names].join(", ")}). Unsynced writes and names are kept, lost, reordered and torn at random`,
      figures: `${count(items)} items, ${count(rows)} affiliate rows and ${keys} keys answered; ${run.problems.length} problems. On a disk that lies about its syncs, the same check finds losses`,
      problems: run.problems,
    }
  },
}

async function playRound(run: Run, promises: Promises): Promise<void> {
  const { furnished, tally, cuts } = run
  const isShort = cuts < TELL_EVERY
  const [lastsMs, lives] = isShort ? [500, 1] : [2_000, 3]
  const kinds: readonly LoadKind[] = [
    { name: "load", singles: 48, batches: 1, twins: 4, syncMs: [1, 5], lastsMs, lives: 1 },
    { name: "checkpoints", singles: 4, batches: 2, twins: 0, syncMs: [0], lastsMs, lives },
    { name: "repeats", singles: 0, batches: 0, twins: 2, syncMs: [20], lastsMs, lives: 1 },
  ]
  const all = [
    firstStart,
    upgrade,
    imports(furnished),
    backups(furnished),
    ...BEFORE.map((before) => restores(furnished, before)),
  ]
  const others = isShort ? shuffled(all, run.random).slice(0, OTHERS_IN_SHORT) : all
  const share = Math.min(1, cuts / (kinds.length * CUTS_UNDER_LOAD + others.length * CUTS_ELSEWHERE))
  const underLoad = Math.ceil(CUTS_UNDER_LOAD * share)
  for (const kind of kinds) await play(run, load(furnished, kind, tally), underLoad, promises)
  for (const scenario of others) await play(run, scenario, Math.ceil(CUTS_ELSEWHERE * share), promises)
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Records a scenario once, cuts it at many places, and looks at what each cut has left. */
async function play(run: Run, scenario: Scenario, count: number, promises: Promises): Promise<void> {
  const seed = run.random.below(2 ** 31)
  const folder = join(run.folder, `recording-${run.recordings++}`)
  run.names.add(scenario.name)
  const recording = await record(scenario, folder, { shim: run.shim, seed })
  await eachOf(chooseCuts(recording, count, seed, promises), AT_A_TIME, async (cut) => {
    const place = run.made++
    const problems = await problemsAfter(recording, cut, join(folder, `left-${place}`))
    if (problems.length > 0) {
      const kept = keepForReplay(recording, cut, folder)
      run.problems.push(...problems.map((problem) => `${scenario.name}, ${promises}, ${kept}: ${problem}`))
      // Now: a long run may be ended before it tells everything.
      process.stdout.write(`  ${run.problems.slice(-problems.length).join("\n  ")}\n`)
    }
    if (run.cuts >= TELL_EVERY && (place + 1) % TELL_EVERY === 0)
      process.stdout.write(`  ${place + 1} of ${run.cuts} power cuts, ${run.problems.length} problems\n`)
  })
  for (const path of unrecorded(recording, folder)) run.problems.push(`${scenario.name}: ${path} was changed unseen`)
  rmSync(folder, { recursive: true, force: true })
}

/** With everything kept the recorded disk has to be the real one, or something escaped the recording. */
function unrecorded(recording: Recording, folder: string): string[] {
  const whole = join(folder, "whole")
  const survival = { share: 1, pieceBytes: 4_096 }
  makeCut(recording, { position: recording.end, seed: 0, survival, promises: "posix" }, whole)
  return differences(whole, join(folder, "disk"))
}

async function problemsAfter(recording: Recording, cut: Cut, left: string): Promise<string[]> {
  makeCut(recording, cut, left)
  const problems = await recording.check(left, cut.position)
  rmSync(left, { recursive: true, force: true })
  return problems
}

/** The check of the checker: how many problems there are on a disk that answers each sync well and does nothing. */
async function liesFound({ furnished, folder, shim, random }: Run): Promise<number> {
  const kind = { name: "lies", singles: 8, batches: 1, twins: 0, syncMs: [1], lastsMs: 500, lives: 1 }
  const scenario = load(furnished, kind, { items: 0, rows: 0, keys: 0 })
  const seed = random.below(2 ** 31)
  const recording = await record(scenario, join(folder, "lies"), { shim, seed, arrange: (disk) => disk.lie() })
  const survival = { share: 0, pieceBytes: 512 }
  const cut: Cut = { position: recording.end, seed, survival, promises: "posix" }
  return (await problemsAfter(recording, cut, join(folder, "left-by-lies"))).length
}
