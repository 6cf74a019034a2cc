import { Database } from "bun:sqlite"
import type { Round } from "../harness/scenario.ts"

/** A database with the same promise as the product's: what is committed is on the disk. */
export function openDurable(file: string): Database {
  const database = new Database(file, { create: true, strict: true })
  database.run("PRAGMA journal_mode = WAL")
  database.run("PRAGMA synchronous = FULL")
  return database
}

/** Repeats what is done for one request until the time is over, and prints how it went. */
export function printRound(seconds: number, worth: number, work: (request: number) => void): void {
  const started = performance.now()
  const before = process.cpuUsage()
  let requests = 0
  while (performance.now() - started < seconds * 1000) work(requests++)
  const { user, system } = process.cpuUsage(before)
  const perSecond = (requests * worth * 1000) / (performance.now() - started)
  console.log(JSON.stringify({ perSecond, micros: (user + system) / requests } satisfies Round))
}
