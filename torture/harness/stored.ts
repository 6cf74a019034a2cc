import { Database } from "bun:sqlite"
import { join } from "node:path"
import { SQL } from "bun"
import type { StoredReport } from "./ledger.ts"

const REPORTS = "SELECT as_of, quantity FROM delivery_report"

// A total is the newest report of its line. These statements find lines and days of which that isn't true. The seller's time zone is UTC.
const NEWEST = "SELECT line_id, max(as_of) AS as_of FROM delivery_report GROUP BY line_id"
const NEWEST_OF_DAYS = "SELECT line_id, max(as_of) AS as_of FROM delivery_report GROUP BY line_id, as_of / 86400000000"
const CONTRADICTIONS: Readonly<Record<string, string>> = {
  "a total is missing": `${NEWEST} EXCEPT SELECT line_id, as_of FROM delivery_total`,
  "a total isn't the newest report": `SELECT line_id, as_of FROM delivery_total EXCEPT ${NEWEST}`,
  "a day is missing": `SELECT line_id, as_of FROM (${NEWEST_OF_DAYS}) AS days EXCEPT SELECT line_id, as_of FROM delivery_day`,
  "a day isn't what was reported": `SELECT line_id, as_of FROM delivery_day EXCEPT SELECT line_id, as_of FROM (${NEWEST_OF_DAYS}) AS days`,
}

/** What a data directory holds, and what is wrong with it. */
export function storedInFile(data: string): { reports: StoredReport[]; problems: string[] } {
  using database = new Database(join(data, "adbooth.db"), { readwrite: true })
  const all = (text: string) => database.query(text).values()
  const damages = all("PRAGMA integrity_check").flat().map(String)
  const problems = damages.filter((text) => text !== "ok")
  if (all("PRAGMA foreign_key_check").length > 0) problems.push("a row refers to nothing")
  for (const [problem, text] of Object.entries(CONTRADICTIONS)) if (all(text).length > 0) problems.push(problem)
  return { reports: all(REPORTS) as unknown as StoredReport[], problems }
}

/** The same for a PostgreSQL database. */
export async function storedInPostgres(url: string): Promise<{ reports: StoredReport[]; problems: string[] }> {
  await using database = new SQL(url, { max: 1 })
  const problems: string[] = []
  for (const [problem, text] of Object.entries(CONTRADICTIONS)) {
    if ((await database.unsafe(text)).length > 0) problems.push(problem)
  }
  const rows = (await database.unsafe(REPORTS).values()) as unknown[][]
  return { reports: rows.map(([asOf, quantity]) => [Number(asOf), Number(quantity)]), problems }
}
