import { expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { move } from "../../../src/actions/operations/move.ts"
import { copiedTables, rowsOf } from "../../../src/storage/copies/copy.ts"
import { openDatabase } from "../../../src/storage/engines.ts"
import { testWith } from "../../harness/machine.ts"
import { type Engine, openStore, type TestStore } from "../../harness/store.ts"
import { fillWithRandomContent, MANY } from "./random-content.ts"

/** A place with odd values in every table, or without any, that nobody has open. */
async function closedPlace(engine: Engine, seed: number | null): Promise<TestStore> {
  const store = await openStore(engine)
  if (seed !== null) await store.database.transactAlone((tx) => fillWithRandomContent(tx, seed, MANY))
  await store.database.close()
  return { ...store, [Symbol.asyncDispose]: async () => rmSync(store.folder, { recursive: true, force: true }) }
}

async function contentAt({ location, log }: TestStore): Promise<unknown[]> {
  const database = await openDatabase(location, log)
  const content: unknown[] = []
  for (const table of copiedTables) content.push(await Array.fromAsync(rowsOf(database.read, table)))
  await database.close()
  return content
}

testWith("postgres")("everything can be moved to PostgreSQL and back, and is equal", async () => {
  await using directory = await closedPlace("SQLite", 1)
  await using server = await closedPlace("PostgreSQL", null)
  await using another = await closedPlace("SQLite", null)
  const before = await contentAt(directory)
  const steps = new Set<string>()
  const there = await move(directory.location, server.location, directory.log, (step, table) =>
    steps.add(`${step} ${table}`),
  )
  expect(steps).toContain("check deliveryReport")
  expect(await contentAt(server)).toEqual(before)
  const back = await move(server.location, another.location, directory.log)
  expect(await contentAt(another)).toEqual(before)
  expect(back.tables).toEqual(there.tables)
  expect(there.tables["deliveryReport"]?.rows).toBe(12_000)
})

testWith("postgres")("nothing is moved to a place that has data", async () => {
  await using directory = await closedPlace("SQLite", 2)
  await using server = await closedPlace("PostgreSQL", 3)
  const before = await contentAt(server)
  await expect(move(directory.location, server.location, directory.log)).rejects.toThrow("already contains data")
  expect(await contentAt(server)).toEqual(before)
})

testWith("postgres")("nothing is moved while a server runs on the source", async () => {
  await using running = await openStore("PostgreSQL")
  await using target = await closedPlace("SQLite", null)
  await expect(move(running.location, target.location, running.log)).rejects.toThrow("still connected")

  await using directory = await closedPlace("SQLite", 4)
  const server = await openDatabase(directory.location, directory.log, { server: "process 7" })
  await expect(move(directory.location, target.location, directory.log)).rejects.toThrow("process 7")
  await server.close()
})

test("a server refuses a directory whose content was moved", async () => {
  await using directory = await closedPlace("SQLite", 5)
  await using target = await closedPlace("SQLite", null)
  await move(directory.location, target.location, directory.log)
  const start = openDatabase(directory.location, directory.log, { server: "process 7" })
  await expect(start).rejects.toThrow(`was moved to ${target.location}`)
})

test("nothing is moved from a place without data, and none is created there", async () => {
  await using target = await closedPlace("SQLite", null)
  const missing = join(target.folder, "missing")
  await expect(move(missing, target.location, target.log)).rejects.toThrow("There is no Adbooth database")
})
