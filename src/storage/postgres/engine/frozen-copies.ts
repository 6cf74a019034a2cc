import { outsideRequests } from "./request-time.ts"
import { type Access, CHANGE_LOCK } from "./transaction.ts"

// Far longer than a copy that is alive takes for its next bytes.
const STANDS_STILL_MS = 8_000

const [GROUP, LOCK] = CHANGE_LOCK.split(", ")
const COPYING = `SELECT a.pid, a.query_start || ' ' || c.bytes_processed AS progress
  FROM pg_locks l JOIN pg_stat_activity a USING (pid) JOIN pg_stat_progress_copy c USING (pid)
  WHERE l.locktype = 'advisory' AND l.classid = ${GROUP} AND l.objid = ${LOCK} AND l.mode = 'ExclusiveLock' AND l.granted
    AND a.datname = current_database() AND l.database = a.datid AND a.usename = current_user AND a.wait_event_type = 'Client'`

/**
 * A restore holds the lock of changes until it is done. If its process is frozen, the server waits for its bytes without end: no time limit
 * of PostgreSQL counts there. Whoever waits in vain for the lock looks here; a copy that stands still from one look to another is ended.
 */
export function frozenCopies({ read }: Pick<Access, "read">): () => void {
  let seen = { pid: 0, progress: "", since: 0 }
  let isLooking = false

  async function look(): Promise<void> {
    const [holder] = await read(({ rows }) => rows<{ pid: number; progress: string }>(COPYING))
    const now = performance.now()
    if (holder === undefined) return
    if (holder.pid !== seen.pid || holder.progress !== seen.progress) seen = { ...holder, since: now }
    else if (now - seen.since >= STANDS_STILL_MS)
      await read(({ rows }) => rows("SELECT pg_terminate_backend($1::integer)", [holder.pid]))
  }

  return () => {
    if (isLooking) return
    isLooking = true
    // What cannot be looked at now is when the next one has waited in vain.
    outsideRequests(look)
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
      })
  }
}
