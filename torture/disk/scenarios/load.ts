import { cpSync } from "node:fs"
import { join } from "node:path"
import { type Booth, type Server, serve } from "../../harness/booth.ts"
import { Ledger } from "../../harness/ledger.ts"
import type { Random } from "../../harness/random.ts"
import { signIn } from "../../harness/visitor.ts"
import type { DiskControl } from "../disk-control.ts"
import type { Check, Scenario } from "../recording.ts"
import { inspect } from "./inspect.ts"
import { PromisedKeys } from "./promised-keys.ts"
import { PromisedMetrics } from "./promised-metrics.ts"

// So that a run stays small enough to be cut at many places.
const JOURNAL_BYTES_MAX = 48 * 2 ** 20
const BATCH = 500
const LATER_MS_MAX = 30

/** A furnished data directory with an operator, to be copied. */
export interface Furnished {
  readonly booth: Booth
  readonly password: string
}

export interface LoadKind {
  readonly name: string
  readonly singles: number
  readonly batches: number
  /** Those who send everything twice: with few others, the second answer rests on a sync that is still running. */
  readonly twins: number
  readonly syncMs: readonly number[]
  readonly lastsMs: number
  /** How often the server is started and stopped. */
  readonly lives: number
}

/** Reports, affiliate figures and keys at once. Batches fill the log so fast that checkpoints run all the time. */
export function load({ booth, password }: Furnished, kind: LoadKind, tally: Tally): Scenario {
  return {
    name: kind.name,
    prepare: (root) => cpSync(booth.data, join(root, "data"), { recursive: true }),
    async act({ root, logs, disk, random }) {
      const here = { ...booth, data: join(root, "data") }
      const sent: Sent = {
        ledger: new Ledger(here, disk.position),
        keys: new PromisedKeys(disk),
        metrics: new PromisedMetrics(here, disk),
      }
      for (let life = 0; life < kind.lives; life++) {
        disk.slowDown(random.pick(kind.syncMs), random.pick([0, 1, 4]))
        await using server = await serve(here.data, { env: disk.env, logs })
        await report({ kind, sent, server, disk, random, data: here.data, cookie: await signIn(server, password) })
        // The last checkpoint, which deletes the log, is cut too.
        await server.end("SIGTERM")
      }
      tally.items += sent.ledger.acceptedCount
      tally.rows += sent.metrics.count
      tally.keys += sent.keys.count
      return check(sent)
    },
  }
}

interface Reporting {
  readonly kind: LoadKind
  readonly sent: Sent
  readonly server: Server
  readonly disk: DiskControl
  readonly random: Random
  readonly data: string
  readonly cookie: string
}

async function report({ kind, sent, server, disk, random, data, cookie }: Reporting): Promise<void> {
  await sent.metrics.registerCodes(server.url)
  const until = performance.now() + kind.lastsMs
  const isOver = () => performance.now() > until || disk.position() > JOURNAL_BYTES_MAX
  const many = (count: number, work: () => Promise<unknown>) =>
    Array.from({ length: count }, () => repeat(isOver, work))
  await Promise.all([
    ...many(kind.singles, () => sent.ledger.send(server.url, 1)),
    ...many(kind.batches, () => sent.ledger.send(server.url, BATCH)),
    ...many(kind.twins, () => sent.ledger.sendTwice(server.url, 3, LATER_MS_MAX * random.next())),
    ...many(1, () => sent.metrics.send(server.url)),
    ...many(1, () => sent.keys.throughPages(server, cookie, random.next() < 0.5)),
    ...many(1, () => sent.keys.throughCommands(data, random.next() < 0.5)),
  ])
}

/** What was promised in all recordings. */
export interface Tally {
  items: number
  rows: number
  keys: number
}

async function repeat(isOver: () => boolean, work: () => Promise<unknown>): Promise<void> {
  while (!isOver()) await work()
}

interface Sent {
  readonly ledger: Ledger
  readonly keys: PromisedKeys
  readonly metrics: PromisedMetrics
}

function check({ ledger, keys, metrics }: Sent): Check {
  return async (left, position) => {
    const data = join(left, "data")
    const problems = await inspect(left, (server: Server) => keys.problems(server, position))
    return [...problems, ...ledger.problems(data, position), ...metrics.problems(data, position)]
  }
}
