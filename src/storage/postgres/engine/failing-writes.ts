import { DeadlineError } from "./deadline.ts"
import { frozenCopies } from "./frozen-copies.ts"
import { cannotWrite } from "./postgres-errors.ts"
import type { Access } from "./transaction.ts"

export interface WatchedAccess extends Access {
  /** Whether something was last refused for a reason that is likely to last, such as a full disk or a server that takes no writes. */
  isFailing(): boolean
}

/** Told how long each commit took, and how many writes shared it. */
export type OnCommit = ((ms: number, jobs: number) => void) | undefined

/** Remembers whether writing works. `onCommit` is told of changes; whoever records figures knows how many share a commit. */
export function watchWrites(access: Access, onCommit?: OnCommit): WatchedAccess {
  const lookForFrozen = frozenCopies(access)
  let isFailing = false

  /** A write that is too late may wait for a standby that is away. A read that is too late says nothing about writes. */
  async function watched<Result>(transaction: Promise<Result>, isWrite = true): Promise<Result> {
    try {
      const result = await transaction
      isFailing &&= !isWrite
      return result
    } catch (cause) {
      const isLate = isWrite && cause instanceof DeadlineError
      isFailing ||= cannotWrite(cause) || isLate
      if (isLate) lookForFrozen()
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
    isFailing: () => isFailing,
  }
}
