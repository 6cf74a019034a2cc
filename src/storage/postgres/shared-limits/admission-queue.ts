import type { Admission, RateWindow } from "../../../domain/rate-limit.ts"
import { MICROS_PER_MS, MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import type { Connection } from "../engine/connection.ts"
import { DEADLINE_MS, DeadlineError, deadline } from "../engine/deadline.ts"
import { ADMIT, type AdmitRow, WINDOW_MICROS } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"
import { fullWindows } from "./full-windows.ts"
import { gate } from "./gate.ts"
import { ownAdmissions } from "./own-admissions.ts"
import { storableText } from "./storable-text.ts"

const IN_FLIGHT_MAX = 2
const WINDOWS_AT_A_TIME = 500
// A statement of 64 windows costs the database half as much for each of them as one of 16. So while one of some size is under way, others
// wait for it, or until they are as many; where few come, nobody waits.
const WINDOWS_AT_LEAST = 64
const FEW_WINDOWS = 8
// Many more than the requests that are let in at a time. Beyond this, they fail before memory runs out.
const WAITING_MAX = 20_000

export type Kind = "ingest" | "agent" | "caller"

export interface FoundKey {
  readonly id: string
  readonly organizationId: number | null
}

/** The key is null for whoever is counted without one. */
export interface Answer {
  readonly key: FoundKey | null
  readonly admission: Admission
}

interface Waiting {
  readonly id: string
  readonly kind: Kind
  readonly who: string
  readonly window: RateWindow
  readonly since: number
  readonly resolve: (answer: Answer | null) => void
  readonly reject: (reason: unknown) => void
}

/** The requests of one caller for one window: they go in one row of a statement, and are admitted in their order. */
type Together = [Waiting, ...Waiting[]]

export interface AdmissionQueue extends Disposable {
  /** Null when there is no such key. */
  ask(kind: Kind, who: string, window: RateWindow): Answer | Promise<Answer | null>
}

/**
 * Everybody who waits goes in one statement; while as many as allowed are under way, the next one collects. Each request waits no longer
 * than the deadline, counted from when it came.
 */
export function admissionQueue(
  { read, caches }: Pick<Connection, "read" | "caches">,
  clock: GivenClock,
  { inFlightMax = IN_FLIGHT_MAX } = {},
): AdmissionQueue {
  const localMs = clock === undefined ? () => performance.now() : () => clock() / MICROS_PER_MS
  const own = ownAdmissions()
  const full = fullWindows<FoundKey>(caches)
  const entrance = gate({ read }, own, { clock, localMs })
  let waiting: Waiting[] = []
  let inFlight = 0
  let windowsInFlight = 0
  let isScheduled = false

  const maySend = () => inFlight < inFlightMax && (windowsInFlight < FEW_WINDOWS || waiting.length >= WINDOWS_AT_LEAST)

  function schedule(): void {
    if (isScheduled || !maySend()) return
    isScheduled = true
    // After all requests that have arrived by now were read, so that they share the statement.
    setImmediate(() => {
      isScheduled = false
      while (waiting.length > 0 && maySend()) send(nextBatch(Math.ceil(waiting.length / (inFlightMax - inFlight))))
    })
  }

  /**
   * A share of those who wait, so that one statement is made while another one runs; never a caller in two of them, who would wait for
   * itself. Whoever names another limit for the same window waits for the next statement: a row can be written only once in each.
   */
  function nextBatch(share: number): Together[] {
    const most = Math.min(WINDOWS_AT_A_TIME, Math.max(WINDOWS_AT_LEAST, share))
    const batch = new Map<string, Together>()
    const left: Waiting[] = []
    for (const one of waiting) {
      const together = batch.get(one.id)
      if (together === undefined && batch.size < most) batch.set(one.id, [one])
      else if (together?.[0].window.limit === one.window.limit) together.push(one)
      else left.push(one)
    }
    waiting = left
    return [...batch.values()]
  }

  function send(batch: readonly Together[]): void {
    inFlight += 1
    windowsInFlight += batch.length
    admit(batch)
      .catch((cause) => {
        for (const together of batch) for (const { reject } of together) reject(cause)
      })
      .finally(() => {
        inFlight -= 1
        windowsInFlight -= batch.length
        if (waiting.length > 0) schedule()
      })
  }

  async function admit(batch: readonly Together[]): Promise<void> {
    const since = Math.min(...batch.map(([first]) => first.since))
    const until = deadline(since + DEADLINE_MS - performance.now())
    for (;;) {
      const withinMs = until.leftMs()
      if (withinMs <= 0) throw new DeadlineError(`The database did not answer within ${DEADLINE_MS / 1000} s`)
      const sentMs = localMs()
      const values = [...columns(batch), entrance.epoch(), clock?.() ?? null]
      const rows = await read((session) => session.rows<AdmitRow>(ADMIT, values), { withinMs })
      const [first] = rows
      if (first !== undefined) caches.saw(first.terms, first.catalogue)
      if (entrance.isOpen(first)) {
        const receivedMs = localMs()
        for (const row of rows) settle(batch[row.place - 1], row, { sentMs, receivedMs })
        return
      }
      await until.race(entrance.reopen(), () => undefined)
    }
  }

  function settle(
    together: Together | undefined,
    row: AdmitRow,
    { sentMs, receivedMs }: { readonly sentMs: number; readonly receivedMs: number },
  ): void {
    if (together === undefined) return
    const [{ id, kind, who, window }] = together
    const { oldest, count, at, admitted } = row
    if (oldest === null || count === null || at === null || admitted === null) {
      for (const { resolve } of together) resolve(null)
      return
    }
    const key = row.key_id === null ? null : { id: row.key_id, organizationId: row.organization_id }
    const leftMicros = oldest + WINDOW_MICROS - at
    if (admitted > 0) {
      const caller = key?.id ?? who
      const noted = { name: rowName(kind, window), caller, capacity: window.limit, requests: admitted }
      own.note(noted, kind === "caller", receivedMs)
    }
    if (count >= window.limit) {
      const [untilMs, openMs] = [sentMs + leftMicros / MICROS_PER_MS, receivedMs + leftMicros / MICROS_PER_MS]
      full.add(id, { limit: window.limit, key, untilMs, openMs }, receivedMs, row.terms)
    }
    const seconds = Math.max(1, Math.ceil(leftMicros / MICROS_PER_SECOND))
    const before = count - admitted
    for (const [place, { resolve }] of together.entries()) {
      const admission: Admission =
        place < admitted
          ? { allowed: true, remaining: window.limit - before - place - 1, resetSeconds: seconds }
          : { allowed: false, retryAfterSeconds: seconds }
      resolve({ key, admission })
    }
  }

  return {
    ask(kind, asked, window) {
      const who = storableText(asked)
      const id = `${rowName(kind, window)}\n${who}`
      const refused = full.refusal(id, window.limit, localMs())
      if (refused !== null) return refused
      if (waiting.length >= WAITING_MAX) return Promise.reject(new Error("too many requests wait for the database"))
      return new Promise((resolve, reject) => {
        waiting.push({ id, kind, who, window, since: performance.now(), resolve, reject })
        schedule()
      })
    },
    [Symbol.dispose]: () => entrance[Symbol.dispose](),
  }
}

/** Windows of the same name are counted apart by kind. */
function rowName(kind: Kind, { name }: RateWindow): string {
  return `${kind} ${name}`
}

function columns(batch: readonly Together[]) {
  return [
    batch.map(([{ kind }]) => kind),
    batch.map(([{ who }]) => who),
    batch.map(([{ window }]) => window.name),
    batch.map(([{ window }]) => window.limit),
    batch.map(({ length, 0: { window } }) => Math.min(length, window.limit)),
  ]
}
