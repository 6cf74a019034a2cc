import { DEADLINE_MS, DeadlineError } from "./deadline.ts"
import type { OnCommit } from "./failing-writes.ts"
import { type Notes, noteBook } from "./notes.ts"
import { isAway } from "./postgres-errors.ts"
import type { Statement } from "./session.ts"
import { type Access, type Opened, type Transaction, UnknownCommit } from "./transaction.ts"

// Measured with 1, 2 and 4: where requests are small, all that wait share one transaction anyway; where they are large, several of them
// at a time keep the server busy while this process prepares the next.
const IN_FLIGHT_MAX = 4
// Many more than the requests that are admitted at a time. Beyond this, writes fail before memory runs out.
const JOBS_WAITING_MAX = 10_000
// One request of the largest size. More together would cost no less for each row, and hold its locks for longer.
const ROWS_AT_A_TIME = 500
// Fewer rows than this wait for the transaction under way, and share the next one: what a transaction costs by itself is worth as much as
// a hundred rows. Not for long, though: the one under way may be waiting for a lock.
const ROWS_WORTH_ANOTHER = 100
const WAITS_FOR_OTHERS_MS = 50
// Whoever has waited for longer is refused: too little of the deadline is left for a transaction.
const PATIENCE_MS = DEADLINE_MS / 2

/** How figures of one kind are written: all jobs that share a transaction by the same few statements. */
export interface FigureKind<Job, Outcome> {
  /** How many rows a job may write. */
  rows(job: Job): number
  /** What is read as the transaction begins, in the same round trip. */
  first?(jobs: readonly Job[]): Statement
  /**
   * Writes the jobs as if one after the other, and answers each. A job whose terms have moved is answered so, and writes nothing. It
   * may be run more than once for the same jobs.
   */
  write(transaction: Transaction, jobs: readonly Job[], opened: Opened): Promise<Written<Outcome>>
}

export interface Written<Outcome> {
  /** In the order of the jobs. */
  readonly outcomes: readonly Outcome[]
  /** Called after the commit: only now may anything be remembered. */
  committed?(): void
}

export interface WriteQueue {
  /** Declares a kind of figures. The function that it returns resolves when the job is committed. */
  kind<Job, Outcome>(kind: FigureKind<Job, Outcome>): (job: Job) => Promise<Outcome>
  /** From now on transactions also write these notes, so that they cost no commit of their own. */
  alongside(notes: Notes): void
  /** Writes waiting notes, if there are any. */
  flushNotes(): Promise<void>
  /** Resolves when nothing is waiting or under way. */
  drained(): Promise<void>
}

type AnyKind = FigureKind<unknown, unknown>

interface Waiting {
  readonly kind: AnyKind
  readonly job: unknown
  readonly rows: number
  readonly since: number
  readonly resolve: (outcome: never) => void
  readonly reject: (reason: unknown) => void
}

interface Bounds {
  readonly inFlightMax: number
  readonly rowsAtATime: number
  readonly rowsWorthAnother: number
  readonly onCommit: OnCommit
}

/** No more than half of the connections: reads have to get on meanwhile. */
export function inFlightWith(connections: number): number {
  return Math.max(1, Math.min(IN_FLIGHT_MAX, Math.floor(connections / 2)))
}

/**
 * Few transactions, many callers: what waits while a transaction is under way shares the next one, and is answered after its commit.
 * If a shared transaction fails, each job is tried on its own, so that one caller's failure never affects another.
 */
export function writeQueue(
  { recordFigures }: Pick<Access, "recordFigures">,
  {
    inFlightMax = IN_FLIGHT_MAX,
    rowsAtATime = ROWS_AT_A_TIME,
    rowsWorthAnother = ROWS_WORTH_ANOTHER,
    onCommit,
  }: Partial<Bounds> = {},
): WriteQueue {
  const notes = noteBook({ recordFigures })
  const kinds: AnyKind[] = []
  const waiting: Waiting[] = []
  let inFlight = 0
  let isScheduled = false
  let overdue: ReturnType<typeof setTimeout> | null = null
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  function schedule(): void {
    if (isScheduled || inFlight >= inFlightMax) return
    if (inFlight > 0 && !isWorthAnother()) {
      overdue ??= setTimeout(startNext, WAITS_FOR_OTHERS_MS)
      return
    }
    isScheduled = true
    // After all code that can run now, so that its jobs share the transaction.
    process.nextTick(() => {
      isScheduled = false
      startNext()
    })
  }

  function isWorthAnother(): boolean {
    let rows = 0
    return waiting.some((one) => {
      rows += one.rows
      return rows >= rowsWorthAnother
    })
  }

  function startNext(): void {
    if (overdue !== null) clearTimeout(overdue)
    overdue = null
    if (waiting.length > 0 && inFlight < inFlightMax) {
      inFlight += 1
      settle(nextJobs()).finally(() => {
        inFlight -= 1
        if (waiting.length > 0) schedule()
        else if (inFlight === 0) idle.resolve()
      })
    }
    if (waiting.length > 0) schedule()
  }

  function nextJobs(): Waiting[] {
    let rows = 0
    const end = waiting.findIndex((one, place) => {
      rows += one.rows
      // The first is taken however large it is: it would never fit otherwise.
      return place > 0 && rows > rowsAtATime
    })
    return waiting.splice(0, end < 0 ? waiting.length : end)
  }

  async function settle(jobs: readonly Waiting[]): Promise<void> {
    const inTime = jobs.filter(isInTime)
    if (inTime.length === 0) return
    try {
      await transact(inTime, true)
    } catch (cause) {
      if (isNobodysFault(cause)) for (const { reject } of inTime) reject(cause)
      else for (const one of inTime) if (isInTime(one)) await transact([one], false).catch(one.reject)
    }
  }

  /** Kinds are written in the order in which they were declared, the same one in every replica, so that nobody deadlocks. */
  async function transact(jobs: readonly Waiting[], withNotes: boolean): Promise<void> {
    const batches = kinds.flatMap((kind) => {
      const own = jobs.filter((one) => one.kind === kind)
      return own.length === 0 ? [] : [{ kind, own, jobs: own.map(({ job }) => job) }]
    })
    const leading = batches.find(({ kind }) => kind.first !== undefined)
    const first = leading?.kind.first?.(leading.jobs)
    const carried = withNotes ? notes.carry() : null
    const write = async (transaction: Transaction, opened: Opened) => {
      const written: Written<unknown>[] = []
      for (const batch of batches)
        written.push(await batch.kind.write(transaction, batch.jobs, batch === leading ? opened : []))
      await carried?.write(transaction)
      return written
    }
    const began = performance.now()
    try {
      const written = await recordFigures(write, { withinMs: leftMs(jobs), ...(first !== undefined && { first }) })
      onCommit?.(performance.now() - began, jobs.length)
      carried?.committed()
      for (const [i, { own }] of batches.entries()) {
        written[i]?.committed?.()
        for (const [place, { resolve }] of own.entries()) resolve(written[i]?.outcomes[place] as never)
      }
    } catch (cause) {
      carried?.failed()
      throw cause
    }
  }

  function enqueue<Outcome>(kind: AnyKind, job: unknown): Promise<Outcome> {
    if (waiting.length >= JOBS_WAITING_MAX) return Promise.reject(new Error("too many writes are waiting"))
    if (waiting.length === 0 && inFlight === 0) idle = Promise.withResolvers<void>()
    return new Promise<Outcome>((resolve, reject) => {
      waiting.push({ kind, job, rows: kind.rows(job), since: performance.now(), resolve, reject })
      schedule()
    })
  }

  return {
    kind<Job, Outcome>(kind: FigureKind<Job, Outcome>) {
      const declared = kind as unknown as AnyKind
      kinds.push(declared)
      return (job: Job) => enqueue<Outcome>(declared, job)
    },
    alongside: notes.alongside,
    flushNotes: notes.flush,
    drained: () => idle.promise,
  }
}

/** Every caller has an answer within the deadline, however long it waited before its transaction began. */
function leftMs(jobs: readonly Waiting[]): number {
  return DEADLINE_MS - (performance.now() - Math.min(...jobs.map(({ since }) => since)))
}

function isInTime({ since, reject }: Waiting): boolean {
  if (performance.now() - since < PATIENCE_MS) return true
  reject(new DeadlineError("The database was too busy to take the write in time"))
  return false
}

/** The database cannot be reached, or is too slow: each of the jobs would fare the same alone. */
function isNobodysFault(cause: unknown): boolean {
  return cause instanceof DeadlineError || cause instanceof UnknownCommit || isAway(cause)
}
