// Promise: what a failed disk may not have stored is not copied into the database before the next start has stored it again.
// Held by test/trust/disk-sync.test.ts and test/trust/one-server.test.ts.
import { Database } from "bun:sqlite"

/**
 * A connection that only reads, so it cannot copy the log. Closing the last connection makes SQLite do that, and the runtime closes
 * all of them when it ends: after a failure this one stays open, and none of the others is the last.
 */
export function lastConnection(file: string): Pick<Database, "close"> {
  const connection = new Database(file, { readonly: true })
  // With its first read it takes the lock that it keeps.
  connection.query("SELECT 1 FROM sqlite_schema LIMIT 1").get()
  return connection
}
