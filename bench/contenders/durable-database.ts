import { Database } from "bun:sqlite"

/** A database with the same promise as the product's: what is committed is on the disk. */
export function openDurable(file: string): Database {
  const database = new Database(file, { create: true, strict: true })
  database.run("PRAGMA journal_mode = WAL")
  database.run("PRAGMA synchronous = FULL")
  return database
}

/** Repeats a piece of work until the time is over, and prints how much of it was done per second. */
export function printRate(seconds: number, worth: number, work: (round: number) => void): void {
  const started = performance.now()
  let rounds = 0
  while (performance.now() - started < seconds * 1000) work(rounds++)
  console.log((rounds * worth * 1000) / (performance.now() - started))
}
