import { MICROS_PER_MS } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"
import { BEGIN_EPOCH, GATE, type GateRow, WRITE_BACK } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"
import type { OwnAdmissions } from "./own-admissions.ts"

// How long the other replicas have to write back what they remember: they look every LOOK_MS, and need a new connection first.
const CLOSED_MICROS = 2_000_000
const LOOK_MS = 400
const WRITTEN_AT_A_TIME = 20_000

/**
 * The rate windows are UNLOGGED: a crash of PostgreSQL, or a failover, empties them, and the row of their epoch with them. A statement
 * admits nobody unless it names the epoch that is there. Whoever misses the epoch begins a new one, in which nobody is admitted for
 * two seconds; meanwhile every replica writes back what it admitted itself in the last minute.
 *
 * What is left inexact: what a replica admitted that died in the same minute, or that cannot reach the database in those two seconds
 * (it is counted as soon as that replica is back, before it admits anybody), and, when more addresses come than a replica remembers,
 * some of these. For the others a window opens up to a second late, never early; and should the answer to writing back be lost,
 * those requests count twice for the rest of their minute.
 */
export interface Gate extends Disposable {
  /** The epoch that this replica has written back to; null before its first look. */
  epoch(): number | null
  /** Whether the statement that answered this was let through. */
  isOpen(row: GateRow | undefined): boolean
  /** Resolves when it is worth trying again. */
  reopen(): Promise<void>
}

export function gate(
  { read }: Pick<Connection, "read">,
  own: OwnAdmissions,
  { clock, localMs }: { readonly clock: GivenClock; readonly localMs: () => number },
): Gate {
  let known: number | null = null
  let lookedAt = 0
  let isLooking = false
  let reopening: Promise<void> | null = null

  async function writeBack(): Promise<void> {
    const all = own.recent(localMs())
    for (let start = 0; start < all.length; start += WRITTEN_AT_A_TIME) {
      const some = all.slice(start, start + WRITTEN_AT_A_TIME)
      const ages = some.map(({ ageMs }) => Math.floor(ageMs * MICROS_PER_MS))
      const [names, callers] = [some.map(({ name }) => name), some.map(({ caller }) => caller)]
      const [capacities, requests] = [some.map(({ capacity }) => capacity), some.map((one) => one.requests)]
      const values = [names, callers, capacities, ages, requests, clock?.() ?? null]
      await read(({ rows }) => rows(WRITE_BACK, values))
    }
  }

  const look = async (): Promise<GateRow | undefined> => (await read(({ rows }) => rows<GateRow>(GATE)))[0]

  async function open(): Promise<void> {
    let row = await look()
    if (row === undefined) {
      await read(({ rows }) => rows(BEGIN_EPOCH, [CLOSED_MICROS]))
      row = await look()
    }
    // Lost again in between: whoever waits for this asks again.
    if (row === undefined || row.epoch === null) return
    if (row.epoch !== known) {
      await writeBack()
      known = row.epoch
    }
    await Bun.sleep(Math.ceil((row.closed ?? 0) / MICROS_PER_MS))
  }

  function reopen(): Promise<void> {
    reopening ??= open().finally(() => {
      reopening = null
    })
    return reopening
  }

  function isOpen(row: GateRow | undefined): boolean {
    if (row === undefined || row.epoch === null || row.closed !== 0) return false
    known ??= row.epoch
    lookedAt = performance.now()
    return row.epoch === known
  }

  // A replica that nobody asks anything would not notice by itself that others wait for what it remembers.
  const timer = setInterval(async () => {
    if (known === null || performance.now() - lookedAt < LOOK_MS || isLooking || own.isEmpty(localMs())) return
    isLooking = true
    try {
      if (!isOpen(await look())) await reopen()
    } catch {
      // Away: it is looked at again soon.
    } finally {
      isLooking = false
    }
  }, LOOK_MS)
  timer.unref()

  return { epoch: () => known, isOpen, reopen, [Symbol.dispose]: () => clearInterval(timer) }
}
