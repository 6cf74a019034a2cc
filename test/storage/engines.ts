import { postgresStore } from "../../src/storage/postgres/index.ts"
import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { movableClock } from "../clock.ts"
import { newDatabaseIn, temporaryFolder } from "../harness.ts"
import type { Engine } from "./contract/engine.ts"
import { wholeStore } from "./contract/whole-store.ts"
import { freshDatabase } from "./postgres/server.ts"

export const sqlite: Engine = {
  name: "SQLite",
  async open() {
    const opened = new AsyncDisposableStack()
    const folder = opened.use(temporaryFolder())
    await newDatabaseIn(folder.path)
    const open = () => wholeStore(opened.use(sqliteStore(folder.path, "test").store))
    const store = open()
    return {
      store,
      clock: movableClock("2026-11-15T12:00:00Z"),
      again: async () => open(),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

/** What a test that failed did not dispose of: a server has only so many connections. */
export const leftOpen = new Set<AsyncDisposable>()

export const postgres: Engine = {
  name: "PostgreSQL",
  async open() {
    const opened = new AsyncDisposableStack()
    leftOpen.add(opened)
    const database = opened.use(await freshDatabase())
    // As in a small installation: many connections of many tests would only queue up in the server.
    const clock = movableClock("2026-11-15T12:00:00Z")
    const open = async () =>
      wholeStore(opened.use((await postgresStore(`${database.url}&pool_size=4`, { clock })).store))
    const store = await open()
    return { store, clock, again: open, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  },
}
