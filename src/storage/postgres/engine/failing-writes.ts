import { DeadlineError } from "./deadline.ts"
import { cannotWrite } from "./postgres-errors.ts"
import type { Access } from "./transaction.ts"

/** Told how long each commit took, and how many writes shared it. */
export type OnCommit = ((ms: number, jobs: number) => void) | undefined

// How long a write that was acknowledged tells that the next one will be.
const LATELY_MS = 5_000

export type Acknowledged = ReturnType<typeof acknowledgedWrites>

/** Whether the database has acknowledged a write lately. Nothing that was only read tells anything about that. */
export function acknowledgedWrites() {
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    noted() {
      lastAt = performance.now()
    },
    /** Something was refused for a reason that is likely to last, or not acknowledged in time. */
    failed() {
      lastAt = Number.NEGATIVE_INFINITY
    },
    isInDoubt: () => performance.now() - lastAt > LATELY_MS,
  }
}

/** Notes what fails. `onCommit` is told of changes; whoever records figures knows how many share a commit. */
export function watchWrites(access: Access, acknowledged: Acknowledged, onCommit?: OnCommit): Access {
  /** A write that is too late may wait for a standby that is away. A read that is too late says nothing about writes. */
  async function watched<Result>(transaction: Promise<Result>, isWrite = true): Promise<Result> {
    try {
      return await transaction
    } catch (cause) {
      if (cannotWrite(cause) || (isWrite && cause instanceof DeadlineError)) acknowledged.failed()
      throw cause
    }
  }

  return {
    // Admissions count in it.
    read: (...given) => watched(access.read(...given), false),
    async transact(...given) {
      const began = performance.now()
      const result = await watched(access.transact(...given))
      onCommit?.(performance.now() - began, 1)
      return result
    },
    recordFigures: (...given) => watched(access.recordFigures(...given)),
  }
}
