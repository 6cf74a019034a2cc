import { sqliteStore } from "../../src/storage/sqlite/index.ts"
import { movableClock } from "../clock.ts"
import { newDatabaseIn, temporaryFolder } from "../harness.ts"
import type { Engine } from "./contract/engine.ts"
import { storageContract } from "./contract/index.ts"
import { wholeStore } from "./contract/whole-store.ts"

const sqlite: Engine = {
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

storageContract(sqlite)
