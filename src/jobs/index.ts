import { checkAlerts, sendAlerts } from "../actions/alerts/send-alerts.ts"
import type { Context } from "../actions/context.ts"
import { keepBackups } from "../actions/operations/backups.ts"
import { agentSettings } from "../actions/settings.ts"
import { MICROS_PER_DAY } from "../domain/time/moment.ts"
import { deleteOldCalls } from "../storage/catalogue/calls.ts"
import { deletionsAt } from "../storage/operations/expired.ts"
import { nextTurn } from "../within.ts"

/** Deletes expired rows, in short transactions. */
async function deleteExpired({ database, clock }: Context, signal: AbortSignal): Promise<void> {
  const now = clock()
  const { logDays } = await agentSettings(database.read)
  const deletions = deletionsAt(now)
  deletions.push((tx) => deleteOldCalls(tx, now - logDays * MICROS_PER_DAY))
  for (const deletion of deletions) {
    while (!signal.aborted && (await database.transactBeside(deletion)) > 0) await nextTurn()
  }
}

/** Something that the server does by the clock. */
interface Job {
  /** Also the name of its lease. */
  readonly name: string
  readonly everySeconds: number
  /** Waits for the signal's abort only where it can stop halfway. */
  readonly run: (context: Context, signal: AbortSignal) => Promise<unknown>
}

/** Everything that the server does by the clock. */
export const JOBS: readonly Job[] = [
  { name: "backups", everySeconds: 10, run: keepBackups },
  { name: "alerts", everySeconds: 300, run: checkAlerts },
  { name: "alert messages", everySeconds: 10, run: sendAlerts },
  { name: "upkeep", everySeconds: 3_600, run: deleteExpired },
]

/** Runs every job now and then at its interval, one run at a time. With several servers, one of them runs each. */
export function startJobs(context: Context) {
  const stopping = new AbortController()
  const stops = JOBS.map((job) => startJob(context, job, stopping.signal))
  return {
    /** Waits for what is under way, as far as it can't be stopped. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

/** Returns how to stop it. */
function startJob(context: Context, { name, everySeconds, run }: Job, signal: AbortSignal): () => Promise<void> {
  let running: Promise<void> | null = null

  async function runOnce(): Promise<void> {
    try {
      // Twice the interval, so that a server that is a little late keeps the job.
      if (!(await context.database.leases.take(name, 2 * everySeconds))) return
      await run(context, signal)
    } catch (cause) {
      if (!signal.aborted) context.log.error(`${name} failed`, cause)
    }
  }

  function start(): void {
    running ??= runOnce().finally(() => {
      running = null
    })
  }

  const timer = setInterval(start, everySeconds * 1_000)
  start()
  return async () => {
    clearInterval(timer)
    await running
  }
}
