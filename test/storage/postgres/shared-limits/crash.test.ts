import { expect, test } from "bun:test"
import type { Store } from "../../../../src/storage/port/store.ts"
import { StoreUnavailable } from "../../../../src/storage/port/unavailable.ts"
import { postgresStore } from "../../../../src/storage/postgres/index.ts"
import { crashingServer } from "../crashing-server.ts"
import { noPostgres } from "../server.ts"

const WINDOW = { name: "shared", limit: 60 }

/** How many of so many requests, in turn at each of the stores, are let in. What finds no database is asked again. */
async function admitted(stores: readonly Store[], count: number, caller: string): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => admit(stores[n % stores.length], caller)))
  return answers.filter(({ allowed }) => allowed).length
}

async function admit(store: Store | undefined, caller: string) {
  for (;;) {
    try {
      if (store === undefined) throw new Error("there is no store")
      return await store.admissions.caller(WINDOW, caller, 0)
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause
    }
  }
}

test.skipIf(noPostgres !== null)(
  "after a crash of PostgreSQL windows begin empty and everybody is admitted at once, also when a replica has died with it",
  async () => {
    using server = await crashingServer()
    await using opened = new AsyncDisposableStack()
    const open = async () => opened.use((await postgresStore(`${server.url}&pool_size=3`)).store)
    const stores = [await open(), await open()]
    const dying = await open()
    expect(await admitted([...stores, dying], 75, "a")).toBe(60)
    await dying[Symbol.asyncDispose]()
    await server.crash()
    await server.start()
    // One limit for both of them, from its beginning.
    expect(await admitted(stores, 75, "a")).toBe(60)
  },
)
