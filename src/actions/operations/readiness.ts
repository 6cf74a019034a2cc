import { isBackupOverdue } from "../../domain/operations/backup.ts"
import { sizeInWords } from "../../domain/text/short-text.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { timeInUtc } from "../../domain/time/time-zone.ts"
import { messageOf } from "../../domain/user-error.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { StoreUnavailable } from "../../storage/port/unavailable.ts"
import { all, eq, exec, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import { backupSchedule, lastBackup } from "./backups.ts"
import { bucketNote } from "./bucket.ts"
import { httpsNote } from "./services.ts"

// With less, the next burst of reports may not fit; SQLite also needs room for its log.
export const DISK_FREE_BYTES_MIN = 50 * 1024 * 1024

export interface ReadinessCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** Whether requests depend on it; other problems need attention, but no restart. */
  readonly vital: boolean
}

export interface Surroundings {
  readonly diskFreeBytes: () => Promise<number>
  /** The interval of backups that the server was started with; null where it was not given. */
  readonly backupEvery: Moment | null
}

/** Checks the database, its schema, the disk space and the scheduled backups. */
export async function checkReadiness(
  context: Pick<Context, "store" | "clock">,
  { diskFreeBytes, backupEvery }: Surroundings,
): Promise<readonly ReadinessCheck[]> {
  const { store } = context
  // Together, so that the caller waits once for a database that does not answer.
  const checks = await Promise.all([
    checkDatabase(context),
    checkSchema(store),
    checkDisk(diskFreeBytes),
    checkBackup(context, backupEvery),
    checkHttps(store),
    checkCopies(store),
  ])
  return checks.filter((check) => check !== null)
}

/** Null where the server does no HTTPS by itself. */
async function checkHttps(store: StoreReads): Promise<ReadinessCheck | null> {
  const note = await httpsNote(store).catch(() => null)
  if (note === null) return null
  const { problem, advice, validUntil, nextTryAt } = note
  const next = nextTryAt === null ? "" : `, next try ${timeInUtc(nextTryAt)}`
  const until =
    validUntil === null ? "waiting for a certificate" : `the certificate is valid until ${timeInUtc(validUntil)}`
  const detail = problem === null ? until : `${problem} ${advice} Meanwhile: ${until}${next}.`
  return { name: "https", vital: false, ok: problem === null, detail }
}

/** Null where backups are copied nowhere. */
async function checkCopies(store: StoreReads): Promise<ReadinessCheck | null> {
  const note = await bucketNote(store).catch(() => null)
  if (note === null) return null
  const { problem, advice, copiedAt, copies } = note
  const last = copiedAt === null ? "no backup was copied yet" : `${copies} copies, the last from ${timeInUtc(copiedAt)}`
  const detail = problem === null ? last : `${problem} ${advice} So far: ${last}.`
  return { name: "copies", vital: false, ok: problem === null, detail }
}

async function checkDatabase(context: Pick<Context, "store">): Promise<ReadinessCheck> {
  const problem = await pingDatabase(context).then(() => null, messageOf)
  const detail = problem === null ? "answers" : `cannot be used: ${problem}`
  return { name: "database", vital: true, ok: problem === null, detail }
}

async function checkSchema({ health }: StoreReads): Promise<ReadinessCheck> {
  const check = { name: "migrations", vital: true }
  const schema = await health.schema().catch(() => null)
  if (schema === null) return { ...check, ok: false, detail: "cannot be read" }
  const { version, expected, fits } = schema
  const detail = version === expected ? `done (${version})` : `schema ${version}, expected ${expected}`
  return { ...check, ok: fits, detail: fits && version > expected ? `${detail}; works, too` : detail }
}

async function checkDisk(diskFreeBytes: () => Promise<number>): Promise<ReadinessCheck> {
  const check = { name: "disk", vital: true }
  const free = await diskFreeBytes().catch(() => null)
  if (free === null) return { ...check, ok: false, detail: "cannot be read" }
  return { ...check, ok: free >= DISK_FREE_BYTES_MIN, detail: `${sizeInWords(free)} free` }
}

async function checkBackup({ store, clock }: Pick<Context, "store" | "clock">, backupEvery: Moment | null) {
  const check = { name: "backup", vital: false }
  const [last, every] = await Promise.all([
    lastBackup(store).catch(() => null),
    backupSchedule(store, { backupEvery, backupKeep: null }).then(
      (schedule) => schedule.every,
      () => backupEvery,
    ),
  ])
  if (last === null)
    return { ...check, ok: true, detail: every === null ? "not scheduled" : "waiting for the first one" }
  const when = timeInUtc(last.at)
  if (!last.ok) return { ...check, ok: false, detail: `failed on ${when}: ${last.problem}` }
  const isLate = every !== null && isBackupOverdue(last, clock(), every)
  return {
    ...check,
    ok: !isLate,
    detail: `${isLate ? "late; " : ""}the last good one is from ${when}, with ${last.rows.toLocaleString("en")} rows`,
  }
}

const ATTEMPTS = "writes_tried"

/** Makes a small write, to see whether writing works. Throws when that fails. */
export const tryWriting = (context: Pick<Context, "store">): Promise<void> => transact(context, countAttempt)

export function* countAttempt({ db, setting, lockTotals }: Tx): Step<void> {
  // Reports wait for a table that somebody has locked, and so does this.
  yield* exec(lockTotals([]))
  const [before] = yield* all(db.select().from(setting).where(eq(setting.name, ATTEMPTS)))
  const set = { value: String(BigInt(before?.value ?? "0") + 1n) }
  const inserting = db.insert(setting).values({ name: ATTEMPTS, ...set })
  yield* exec(inserting.onConflictDoUpdate({ target: setting.name, set }))
}

// One for all who ask meanwhile: anybody may ask, as often as they like.
const attempts = new WeakMap<object, Promise<void>>()

/** Throws when the database cannot be read, or when it is in doubt whether it takes writes and an attempt fails. */
export async function pingDatabase(context: Pick<Context, "store">): Promise<void> {
  const { store } = context
  await store.health.ping()
  // While writes fail callers stay away, so that only a write of our own can tell when they work again.
  if (!store.health.isInDoubt()) return
  const attempt = attempts.get(store) ?? tryWriting(context).finally(() => attempts.delete(store))
  attempts.set(store, attempt)
  await attempt.catch(async (cause) => {
    const why = await store.health.whyNotWritten(cause).catch(() => null)
    throw why === null ? cause : new StoreUnavailable(why, { cause })
  })
}
