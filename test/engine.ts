import { test } from "bun:test"

/** Whether the tests of everything above the store run on PostgreSQL. */
export const ON_POSTGRES = process.env["ADBOOTH_TEST_ENGINE"] === "postgres"

/** `test` for what is about SQLite alone. On PostgreSQL the run says why these are skipped. */
export function onlyOnSqlite(reason: string) {
  if (ON_POSTGRES) process.stderr.write(`Skipped on PostgreSQL: ${reason}\n`)
  return test.skipIf(ON_POSTGRES)
}
