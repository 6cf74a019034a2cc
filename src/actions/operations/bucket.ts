import { backupsInOrder, isBackup, outdatedBackups } from "../../domain/operations/backup.ts"
import { Bucket, BucketNote, BucketProblem, NO_COPY_YET, type StoredCopy } from "../../domain/operations/bucket.ts"
import { nextAttempt } from "../../domain/operations/next-attempt.ts"
import type { Change } from "../../domain/people/audit.ts"
import { messageOf } from "../../domain/user-error.ts"
import { audit } from "../../storage/steps/audit.ts"
import { settingOf } from "../../storage/steps/operations.ts"
import type { Step, Tx } from "../../storage/steps/step.ts"
import { type Context, query, transact, verb } from "../context.ts"
import { secretAs, setJson, settingAs } from "../settings.ts"

/** The bucket that was chosen in the app, with its secret; null where none was. */
export const chosenBucket = secretAs("bucket", Bucket)

/** How the copies stand; null where backups are copied nowhere. */
export const bucketNote = settingAs("bucket_note", BucketNote)

/** Chooses the bucket, or none. The copies that are there stay there. */
export const chooseBucket = verb(function* (tx, bucket: Bucket | null, by: Change) {
  yield* setJson(tx, "bucket", bucket)
  yield* setJson(tx, "bucket_note", bucket && NO_COPY_YET)
  const details = { bucket: bucket?.bucket ?? "none" }
  yield* audit(tx, by, { action: "change bucket", subject: "installation", details })
})

export interface BucketCopies {
  put(name: string, file: string, signal: AbortSignal): Promise<void>
  list(): Promise<readonly StoredCopy[]>
  remove(name: string): Promise<void>
}

export interface CopyPlan {
  readonly copies: BucketCopies
  readonly keep: number
  /** The backups that are here, and where each one is. */
  readonly local: readonly string[]
  fileOf(name: string): string
}

/**
 * Copies the backups that are not there yet, oldest first, and removes those beyond `keep`. What fails is noted and tried again with growing pauses. Null when
 * it is not yet time to try again.
 */
export async function copyBackups(context: Context, plan: CopyPlan, signal: AbortSignal): Promise<BucketNote | null> {
  const chosen = await query(context, (tx) => settingOf(tx, "bucket"))
  const before = (await bucketNote(context.store)) ?? NO_COPY_YET
  const now = context.clock()
  if (before.nextTryAt !== null && now < before.nextTryAt && before.nextTryAt - now < LONGEST) return null
  const note = await attempt(context, plan, before, signal)
  if (note === null || JSON.stringify(note) === JSON.stringify(before)) return null
  return transact(context, (tx) => noteCopies(tx, note, chosen))
}

/** Where another bucket was chosen meanwhile, nothing is said of the one before: the new one still needs every copy. */
function* noteCopies(tx: Tx, note: BucketNote, chosen: string | null): Step<BucketNote | null> {
  if ((yield* settingOf(tx, "bucket")) !== chosen) return null
  yield* setJson(tx, "bucket_note", note)
  return note
}

// A clock that was set back must not keep anybody waiting.
const LONGEST = 2 * 3_600_000_000

async function attempt(
  { clock, random }: Context,
  { copies, keep, local, fileOf }: CopyPlan,
  before: BucketNote,
  signal: AbortSignal,
): Promise<BucketNote | null> {
  let copied: Pick<BucketNote, "copiedAt" | "name"> = before
  try {
    // What was copied before and is gone was removed by somebody. It stays away.
    const inOrder = backupsInOrder([...local, before.name ?? ""], clock())
    const after = inOrder.slice(inOrder.lastIndexOf(before.name ?? "") + 1)
    // The newest ones only: older copies would be removed at once.
    const missing = after.slice(-keep)
    if (missing.length === 0 && before.problem === null) return before
    for (const name of missing) {
      await copies.put(name, fileOf(name), signal)
      copied = { copiedAt: clock(), name }
    }
    const names = (await copies.list()).map((copy) => copy.name)
    for (const name of outdatedBackups(names, keep, clock())) await copies.remove(name)
    const there = (await copies.list()).filter(({ name }) => isBackup(name))
    const bytes = there.reduce((sum, copy) => sum + copy.bytes, 0)
    return { ...NO_COPY_YET, ...copied, copies: there.length, bytes }
  } catch (cause) {
    if (signal.aborted) return null
    const failures = before.failures + 1
    const { problem, advice } = cause instanceof BucketProblem ? cause : new BucketProblem("", messageOf(cause))
    const nextTryAt = nextAttempt(failures, clock(), (random(1)[0] ?? 0) / 255)
    return { ...before, ...copied, problem, advice, failures, nextTryAt }
  }
}
