import { afterEach, test } from "bun:test"
import { postgresStore } from "../../src/storage/postgres/index.ts"
import { movableClock } from "../clock.ts"
import type { Engine } from "./contract/engine.ts"
import { storageContract } from "./contract/index.ts"
import { sharedLimitsContract } from "./contract/shared-limits.ts"
import { wholeStore } from "./contract/whole-store.ts"
import { freshDatabase, noPostgres } from "./postgres/server.ts"

// Of a test that failed before it held what it opened. A server has only so many connections.
const left = new Set<AsyncDisposable>()
afterEach(async () => {
  for (const one of left) await one[Symbol.asyncDispose]()
  left.clear()
})

const postgres: Engine = {
  name: "PostgreSQL",
  async open() {
    const opened = new AsyncDisposableStack()
    left.add(opened)
    const database = opened.use(await freshDatabase())
    // As in a small installation: many connections of many tests would only queue up in the server.
    const clock = movableClock("2026-11-15T12:00:00Z")
    const open = async () =>
      wholeStore(opened.use((await postgresStore(`${database.url}&pool_size=4`, { clock })).store))
    const store = await open()
    return {
      store,
      clock,
      again: open,
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

if (noPostgres === null) {
  storageContract(postgres)
  sharedLimitsContract(postgres)
} else test.skipIf(true)(`the storage contract with PostgreSQL: ${noPostgres}`, () => undefined)
