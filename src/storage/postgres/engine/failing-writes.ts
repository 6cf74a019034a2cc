import { sqlState } from "./postgres-errors.ts"
import type { Access } from "./transaction.ts"

export interface WatchedAccess extends Access {
  /** Whether the last transaction failed for a reason that is likely to last, such as a full disk or a server that takes no writes. */
  isFailing(): boolean
}

// Out of disk or memory, an error of the disk itself, damaged data, and a server that takes no writes.
const LASTING = /^(?:53[12]|58|XX00[12]|25006)/

/** Remembers whether writing works. */
export function watchWrites(access: Access): WatchedAccess {
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
    change: (...given) => watched(access.change(...given)),
    recordFigures: (...given) => watched(access.recordFigures(...given)),
    isFailing: () => isFailing,
  }
}
