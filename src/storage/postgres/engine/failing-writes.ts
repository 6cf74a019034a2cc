import { sqlState } from "./postgres-errors.ts"
import type { Access } from "./transaction.ts"

export interface WatchedAccess extends Access {
  /** Whether the last transaction failed for a reason that is likely to last, such as a full disk or a server that takes no writes. */
  isFailing(): boolean
}

// Out of disk or memory, an error of the disk itself, damaged data, and a server that takes no writes.
const LASTING = /^(?:53[12]|58|XX00[12]|25006)/

/** Told how long each commit took, and how many writes shared it. */
export type OnCommit = ((ms: number, jobs: number) => void) | undefined

/** Remembers whether writing works. `onCommit` is told of changes; whoever records figures knows how many share a commit. */
export function watchWrites(access: Access, onCommit?: OnCommit): WatchedAccess {
  let isFailing = false

  async function watched<Result>(transaction: Promise<Result>): Promise<Result> {
    try {
      const result = await transaction
      isFailing = false
      return result
    } catch (cause) {
      isFailing ||= LASTING.test(sqlState(cause) ?? "")
      throw cause
    }
  }

  return {
    read: access.read,
    async change(...given) {
      const began = performance.now()
      const result = await watched(access.change(...given))
      onCommit?.(performance.now() - began, 1)
      return result
    },
    recordFigures: (...given) => watched(access.recordFigures(...given)),
    isFailing: () => isFailing,
  }
}
