// Promise: a server begins to serve while its database is away, and what it notes of that is written once the database is there.
// Held by test/trust/replicas/start.test.ts.
import { messageOf } from "../domain/user-error.ts"
import type { Log } from "../log/log.ts"
import { StoreUnavailable } from "../storage/port/unavailable.ts"

const AGAIN_MS = 5_000

/**
 * Writes something that a server notes when it begins to serve. While the database is away it is tried again and again: nobody who is
 * served waits for it, so the server does not end for want of it.
 */
export async function untilKept(log: Log, what: string, write: () => Promise<unknown>): Promise<Disposable> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const attempt = async (isFirst: boolean): Promise<void> => {
    try {
      await write()
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable) && isFirst) throw cause
      log.warn(`${what} not noted yet`, { cause: messageOf(cause) })
      if (!isOver) timer = setTimeout(() => void attempt(false), AGAIN_MS)
    }
  }
  await attempt(true)
  return {
    [Symbol.dispose]() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
