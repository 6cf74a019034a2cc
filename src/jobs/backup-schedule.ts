import { join } from "node:path"
import * as backups from "../actions/operations/backups.ts"
import { copyBackups } from "../actions/operations/bucket.ts"
import { takeLease } from "../actions/operations/serving.ts"
import type { BackupCheck } from "../domain/operations/backup.ts"
import { messageOf } from "../domain/user-error.ts"
import type { Log } from "../log/log.ts"
import { bucketClient } from "./bucket-client.ts"
import { bucketInForce } from "./bucket-in-force.ts"
import type { JobContext } from "./job-context.ts"

const CHECK_INTERVAL_MS = 10_000
// A few checks may be late or fail before another server takes over the backups.
const LEASE_SECONDS = 60

export type BackupSchedule = AsyncDisposable & backups.BackupService & { start(): void }

/** Makes scheduled backups, and works with backups on request: one thing at a time. */
export function backupSchedule(context: JobContext): BackupSchedule {
  const { log, store, clock, config, backupFolder: folder } = context
  const stopping = new AbortController()
  const { signal } = stopping
  const checks = new Map<string, BackupCheck | null>()
  const { start, afterOthers, working } = oneAtATime(log)
  let restoring: string | null = null
  let timer: ReturnType<typeof setInterval> | undefined

  async function scheduled(): Promise<void> {
    const { every, keep } = await backups.backupSchedule(store, config)
    const hasWork = every !== null || (await bucketInForce(context, config)) !== null
    if (!hasWork || !(await takeLease(context, "scheduled backups", LEASE_SECONDS))) return
    if (every !== null) await backups.keepBackups(context, { every, keep, folder }, signal)
    await copyElsewhere()
  }

  /** What is not yet in the bucket, if there is one. */
  async function copyElsewhere(): Promise<void> {
    const bucket = await bucketInForce(context, config)
    if (bucket === null) return
    const plan = {
      copies: bucketClient(bucket),
      keep: bucket.keep,
      local: await folder.list().catch(() => []),
      fileOf: (name: string) => join(folder.path, name),
    }
    const note = await copyBackups(context, plan, signal)
    if (note?.problem) log.warn("backup not copied", { problem: note.problem, advice: note.advice })
    else if (note?.name) log.info("backup copied", { name: note.name, copies: note.copies })
  }

  function check(): void {
    // Renewed at every check, so that it does not expire during a long backup.
    if (working() === undefined) void start("scheduled backup", scheduled)
    else takeLease(context, "scheduled backups", LEASE_SECONDS).catch(() => undefined)
  }

  return {
    folder,
    get restoring() {
      return restoring
    },
    start() {
      // A single long timer would not count the time that the machine was asleep.
      timer = setInterval(check, CHECK_INTERVAL_MS)
      check()
    },
    now: () =>
      afterOthers("backup", async () => {
        const { keep } = await backups.backupSchedule(store, config)
        const made = await backups.makeBackup(context, { keep, folder }, signal)
        await copyElsewhere()
        return made
      }),
    checks,
    async check(name) {
      checks.set(name, null)
      const checked = await folder.check(name, signal).then(
        ({ rows }) => ({ rows, problem: null }),
        (cause: unknown) => ({ rows: 0, problem: messageOf(cause) }),
      )
      const result = { ...checked, at: clock() }
      checks.set(name, result)
      return result
    },
    async restore(name, by) {
      if (restoring !== null) return null
      restoring = name
      const result = await afterOthers("restore", () => backups.restoreBackup(context, folder, name, by, signal))
      restoring = null
      if (result?.ok) log.warn("backup restored", { file: name, rows: result.rows, before: result.safety })
      return result
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // A restore is one transaction: it is waited for, rather than stopped.
      if (restoring === null) stopping.abort()
      await working()
    },
  }
}

function oneAtATime(log: Log) {
  let working: Promise<unknown> | undefined

  /** Starts something that never rejects; null when it failed. */
  function start<Result>(what: string, work: () => Promise<Result>): Promise<Result | null> {
    const attempt = work().catch((cause) => {
      log.error(`${what} failed`, cause)
      return null
    })
    const done = attempt.finally(() => {
      if (working === done) working = undefined
    })
    working = done
    return done
  }

  async function afterOthers<Result>(what: string, work: () => Promise<Result>): Promise<Result | null> {
    while (working !== undefined) await working
    return start(what, work)
  }

  return { start, afterOthers, working: () => working }
}
