import { nextTurn } from "../../../next-turn.ts"
import type { AnswerBy } from "../../port/answer-by.ts"
import { type Behind, WriteBehind } from "../../steps/behind/write-behind.ts"
import { DEADLINE_MS, DeadlineError, outsideRequests } from "./deadline.ts"
import { isAway } from "./postgres-errors.ts"
import type { Statement } from "./session.ts"
import { type Access, type OnCommit, type Rows, type Transaction, UnknownCommit } from "./transaction.ts"
import { type GroupBounds, inFlight, ROWS_AT_A_TIME, ROWS_WORTH_ANOTHER, writeGroups } from "./write-groups.ts"

// Measured with 1, 2 and 4: where requests are small, all that wait share one transaction anyway; where they are large, several of them
// at a time keep the server busy while this process prepares the next.
const IN_FLIGHT_MAX = 4
// Many more than the requests that are admitted at a time. Beyond this, writes fail before memory runs out.
const JOBS_WAITING_MAX = 10_000
// Whoever has waited here for longer is refused: too little of the deadline is left for a transaction.
const PATIENCE_MS = DEADLINE_MS / 2
// While others are committed, whoever waits is only behind them: in a burst, for so long, which its caller still waits for.
const BURST_MS = 20_000
// Nothing is begun that is nearly sure to end too late.
const LEFT_LEAST_MS = 200

/** How figures of one kind are written: all jobs that share a transaction by the same few statements. */
export interface FigureKind<Job, Outcome> {
  /** How many rows a job may write. */
  rows(job: Job): number
  /** By when its request has to be answered; where nothing is said, it has a time of its own. */
  answerBy?(job: Job): AnswerBy
  /** What is read as the transaction begins. */
  first?(jobs: readonly Job[]): Statement
  /**
   * Writes the jobs as if one after the other, and answers each. A job whose terms have moved is answered so, and writes nothing. It
   * may be run more than once for the same jobs.
   */
  write(transaction: Transaction, jobs: readonly Job[], firstRows: Rows): Promise<Written<Outcome>>
}

export interface Written<Outcome> {
  /** In the order of the jobs. */
  readonly outcomes: readonly Outcome[]
  /** Called after the commit: only now may anything be remembered. */
  committed?(): void
}

export type WriteQueue = ReturnType<typeof writeQueue>

interface Waiting<Job = unknown, Outcome = never> {
  readonly job: Job
  readonly rows: number
  since: number
  answerBy: number
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (reason: unknown) => void
}

interface Bounds extends Omit<GroupBounds, "inFlight"> {
  /** Of all kinds together. */
  readonly inFlightMax: number
  readonly onCommit: OnCommit
}

/** No more than half of the connections: reads have to get on meanwhile. */
export const inFlightWith = (connections: number): number =>
  Math.max(1, Math.min(IN_FLIGHT_MAX, Math.floor(connections / 2)))

/**
 * Few transactions, many callers: what waits while a transaction of its kind is under way shares the next one, and is answered after its commit.
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
) {
  const buffer = writeBuffer({ recordFigures })
  const bounds = { inFlight: inFlight(inFlightMax), rowsAtATime, rowsWorthAnother }
  const drained: (() => Promise<void>)[] = []
  let committedAt = Number.NEGATIVE_INFINITY
  return {
    /** Declares a kind of figures. The function that it returns resolves when the job is committed. */
    kind<Job, Outcome>(kind: FigureKind<Job, Outcome>) {
      const transact = transacting(kind, { recordFigures, buffer, onCommit })
      const groups = writeGroups<Waiting<Job, Outcome>>((group) => {
        if (performance.now() - committedAt < PATIENCE_MS) beginAnew(group)
        return settle(group, async (jobs, withBuffer) => {
          await transact(jobs, withBuffer)
          committedAt = performance.now()
        })
      }, bounds)
      drained.push(groups.drained)
      return (job: Job) => {
        if (groups.size() >= JOBS_WAITING_MAX) return Promise.reject(new Error("too many writes are waiting"))
        const since = performance.now()
        const answerBy = kind.answerBy?.(job) ?? since + DEADLINE_MS
        return new Promise<Outcome>((resolve, reject) => {
          groups.add({ job, rows: kind.rows(job), since, answerBy, resolve, reject })
        })
      }
    },
    /** Rows that transactions write along, so that they cost no commit of their own. */
    behind: buffer.behind,
    /** Writes the rows that wait, if there are any. */
    flushBehind: buffer.flush,
    /** Resolves when nothing is waiting or under way. */
    async drained() {
      for (const end of drained) await end()
    },
  }
}

/** The time of a job begins with its turn. */
function beginAnew(group: readonly Waiting[]): void {
  for (const job of group) {
    const waitedMs = performance.now() - job.since
    if (waitedMs > BURST_MS) continue
    job.since += waitedMs
    job.answerBy += waitedMs
  }
}

type Transact<One> = (jobs: readonly One[], withBuffer: boolean) => Promise<void>

/**
 * Whoever has little time left goes in a transaction apart: its deadline is that of all who share it. The others follow, because a group
 * counts as one transaction under way, and reads need the other connections.
 */
async function settle<One extends Waiting>(group: readonly One[], transact: Transact<One>): Promise<void> {
  const inTime = group.filter(isInTime)
  // Many may be too late at the same moment: others are served between their answers.
  if (inTime.length === 0) return nextTurn()
  const isHurried = ({ answerBy }: Waiting) => answerBy - performance.now() < PATIENCE_MS
  const hurried = inTime.filter(isHurried)
  if (hurried.length === 0) return settleTogether(inTime, transact)
  const others = inTime.filter((job) => !hurried.includes(job))
  await settleTogether(hurried, transact)
  await settleTogether(others, transact)
}

async function settleTogether<One extends Waiting>(jobs: readonly One[], transact: Transact<One>): Promise<void> {
  if (jobs.length === 0) return
  try {
    await transact(jobs, true)
  } catch (cause) {
    if (isNobodysFault(cause)) for (const { reject } of jobs) reject(cause)
    else for (const job of jobs) if (isInTime(job)) await transact([job], false).catch(job.reject)
  }
}

interface Transacting extends Pick<Access, "recordFigures"> {
  readonly buffer: ReturnType<typeof writeBuffer>
  readonly onCommit: OnCommit
}

function transacting<Job, Outcome>(
  kind: FigureKind<Job, Outcome>,
  { recordFigures, buffer, onCommit }: Transacting,
): Transact<Waiting<Job, Outcome>> {
  return async (waiting, withBuffer) => {
    const jobs = waiting.map(({ job }) => job)
    const first = kind.first?.(jobs)
    const carried = withBuffer ? buffer.carry() : null
    const write = async (transaction: Transaction, firstRows: Rows) => {
      const written = await kind.write(transaction, jobs, firstRows)
      await carried?.write(transaction)
      return written
    }
    const began = performance.now()
    try {
      const withinMs = Math.min(...waiting.map(({ answerBy }) => answerBy)) - began
      const { outcomes, committed } = await recordFigures(write, { withinMs, first })
      onCommit?.(performance.now() - began, jobs.length)
      carried?.committed()
      committed?.()
      for (const [place, { resolve }] of waiting.entries()) resolve(outcomes[place] as Outcome)
    } catch (cause) {
      carried?.failed()
      throw cause
    }
  }
}

function isInTime({ since, answerBy, reject }: Waiting): boolean {
  const now = performance.now()
  if (now - since < PATIENCE_MS && answerBy - now > LEFT_LEAST_MS) return true
  reject(new DeadlineError("The database was too busy to take the write in time"))
  return false
}

/** The database cannot be reached, or is too slow: each of the jobs would fare the same alone. */
const isNobodysFault = (cause: unknown): boolean =>
  cause instanceof DeadlineError || cause instanceof UnknownCommit || isAway(cause)

type RowsBehind<Row> = WriteBehind<Row, [transaction: Transaction], Promise<void>>
export type WriteRows<Row> = (rows: readonly Row[], transaction: Transaction) => Promise<void>

/** Rows that nobody waits for, which transactions write along. */
function writeBuffer({ recordFigures }: Pick<Access, "recordFigures">) {
  const all: RowsBehind<never>[] = []
  // One transaction at a time: two would write the same.
  let underWay: PromiseWithResolvers<void> | null = null
  // What fails goes alone from then on, so that it does not cost others their shared transaction again and again.
  let goesAlone = false

  const isDue = () => all.some((rows) => rows.isDue())

  /** Rows on their way. Exactly one of `committed` and `failed` has to be called. */
  function begin() {
    const own = Promise.withResolvers<void>()
    let carried: RowsBehind<never>[] = []
    underWay = own
    const end = (hasFailed: boolean) => {
      goesAlone = hasFailed
      underWay = null
      own.resolve()
    }
    return {
      async write(transaction: Transaction) {
        carried = all.filter((rows) => rows.isDue())
        for (const rows of carried) await rows.write(transaction)
      },
      committed() {
        for (const rows of carried) rows.written()
        end(false)
      },
      failed: () => end(true),
    }
  }

  async function flush(): Promise<void> {
    for (const rows of all) rows.collect()
    while (underWay !== null) await underWay.promise
    if (!isDue()) return
    const carried = begin()
    try {
      await outsideRequests(() => recordFigures((transaction) => carried.write(transaction)))
    } catch (cause) {
      carried.failed()
      throw cause
    }
    carried.committed()
  }

  return {
    behind<Row>(kind: Behind<Row>, write: WriteRows<Row>) {
      const rows: RowsBehind<Row> = new WriteBehind(kind, write, flush)
      all.push(rows as unknown as RowsBehind<never>)
      return rows
    },
    /** What a transaction should carry along; null when nothing is due, or another transaction is carrying them already. */
    carry: () => (underWay === null && !goesAlone && isDue() ? begin() : null),
    flush,
  }
}
