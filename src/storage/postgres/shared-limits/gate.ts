import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"
import { MICROS_PER_MS } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"
import { DEADLINE_MS } from "../engine/deadline.ts"
import { outsideRequests } from "../engine/request-time.ts"
import { BEGIN_EPOCH, GATE, type GateRow, OPEN, REGISTER, WINDOW_MICROS, WRITE_BACK } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"
import type { OwnAdmissions } from "./own-admissions.ts"

// How often replicas look whether others wait for what they remember, and how often those who wait look.
const LOOK_MS = 400
const WAIT_MS = 100
// A replica admits for so long after it has registered, and registers again before that.
const ADMITS_FOR_MS = 30_000
const REGISTERS_EVERY_MS = 15_000
// For so long after it has registered, what it admitted may be less than a minute old.
const COUNTS_FOR_MS = ADMITS_FOR_MS + DEADLINE_MS + RATE_WINDOW_SECONDS * 1_000
const WRITTEN_AT_A_TIME = 20_000

/**
 * The rate windows are UNLOGGED: a crash of PostgreSQL, or a failover, empties them, and the row of their epoch with them. A statement
 * admits nobody unless it names the epoch that is there. Whoever misses the epoch begins a new one, and every replica writes back what
 * it admitted itself in the last minute. Who has to is known: a replica registers, in a table that survives, before it admits
 * anybody. The new epoch opens when all of them have written back. Of a replica that died too, or that cannot reach the
 * database, nobody knows what it admitted: then nobody is admitted until all of that is a minute old.
 *
 * What is left inexact: when more addresses come than a replica remembers, some of these are not written back. For the others a
 * window opens up to a second late, never early; and should the answer to writing back be lost, those requests count twice for
 * the rest of their minute.
 */
export interface Gate extends Disposable {
  /** The epoch that this replica has written back to. Null: it must `reopen` before it admits anybody. */
  epoch(): number | null
  /** Whether the statement that named this epoch, and answered this, was let through. */
  isOpen(row: GateRow | undefined, named: number): boolean
  /** Resolves when it is worth trying again. */
  reopen(): Promise<void>
}

export interface GateParts {
  readonly clock: GivenClock
  readonly localMs: () => number
}

export function gate({ read }: Pick<Connection, "read">, own: OwnAdmissions, { clock, localMs }: GateParts): Gate {
  const registration = registering({ read })
  let known: number | null = null
  let lookedAt = 0
  let reopening: Promise<void> | null = null

  const look = async (): Promise<GateRow | undefined> => (await read(({ rows }) => rows<GateRow>(GATE)))[0]

  async function open(): Promise<void> {
    let row = await look()
    if (row === undefined) {
      await read(({ rows }) => rows(BEGIN_EPOCH, [WINDOW_MICROS]))
      row = await look()
    }
    // Lost again in between: whoever waits for this asks again.
    if (row === undefined || row.epoch === null) return
    if (row.epoch !== known) await writeBack({ read }, own.recent(localMs()), clock)
    await registration.register(row.epoch)
    known = row.epoch
    if (row.closed === 0) return
    await read(({ rows }) => rows(OPEN, [row.epoch]))
    await Bun.sleep(Math.min(WAIT_MS, Math.ceil((row.closed ?? 0) / MICROS_PER_MS)))
  }

  function reopen(): Promise<void> {
    reopening ??= outsideRequests(open).finally(() => {
      reopening = null
    })
    return reopening
  }

  function isOpen(row: GateRow | undefined, named: number): boolean {
    lookedAt = performance.now()
    return row !== undefined && row.closed === 0 && row.epoch === named
  }

  // A replica that nobody asks anything would not notice by itself that others wait for what it remembers.
  async function lookAround(): Promise<void> {
    if (known === null || reopening !== null || !registration.counts()) return
    if (registration.isDue() && !own.isEmpty(localMs())) await registration.register(known)
    if (performance.now() - lookedAt >= LOOK_MS && !isOpen(await look(), known)) await reopen()
  }

  const timer = repeat(lookAround, LOOK_MS)
  return {
    epoch: () => (registration.isValid() ? known : null),
    isOpen,
    reopen,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** Tells the others, in the database, that this replica admits: for as long as it says so, and while that counts. */
function registering({ read }: Pick<Connection, "read">) {
  const replica = crypto.randomUUID()
  let at = Number.NEGATIVE_INFINITY
  const isWithin = (ms: number) => performance.now() - at < ms
  return {
    async register(epoch: number): Promise<void> {
      const sentAt = performance.now()
      await read(({ rows }) => rows(REGISTER, [replica, String(epoch), COUNTS_FOR_MS * MICROS_PER_MS]))
      at = sentAt
    },
    isValid: () => isWithin(ADMITS_FOR_MS),
    isDue: () => !isWithin(REGISTERS_EVERY_MS),
    counts: () => isWithin(COUNTS_FOR_MS),
  }
}

async function writeBack(
  { read }: Pick<Connection, "read">,
  all: ReturnType<OwnAdmissions["recent"]>,
  clock: GivenClock,
): Promise<void> {
  for (let start = 0; start < all.length; start += WRITTEN_AT_A_TIME) {
    const some = all.slice(start, start + WRITTEN_AT_A_TIME)
    const ages = some.map(({ ageMs }) => Math.floor(ageMs * MICROS_PER_MS))
    const [names, callers] = [some.map(({ name }) => name), some.map(({ caller }) => caller)]
    const [capacities, requests] = [some.map(({ capacity }) => capacity), some.map((one) => one.requests)]
    const values = [names, callers, capacities, ages, requests, clock?.() ?? null]
    await read(({ rows }) => rows(WRITE_BACK, values))
  }
}

/** Calls it again and again, never twice at a time. What fails is tried again soon. */
function repeat(work: () => Promise<void>, everyMs: number): ReturnType<typeof setInterval> {
  let isAtWork = false
  const timer = setInterval(async () => {
    if (isAtWork) return
    isAtWork = true
    await work().catch(() => undefined)
    isAtWork = false
  }, everyMs)
  timer.unref()
  return timer
}
