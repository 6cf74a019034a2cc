import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What a part of the torture found. */
export interface Outcome {
  /** What was done to the program. */
  readonly done: string
  /** The figures that came out. */
  readonly figures: string
  /** Broken promises, in words; empty when all were kept. */
  readonly problems: readonly string[]
}

export interface Part {
  readonly name: string
  readonly promise: string
  run(sizes: Sizes): Promise<Outcome | Skipped>
}

/** Why a part cannot be tried on this machine. */
export interface Skipped {
  readonly skipped: string
}

export interface Sizes {
  readonly seed: number
  /** 1 where slowness is a broken promise; 0 on a machine that is busy with other things. */
  readonly judgeTiming: number
  readonly killRounds: number
  /** How often the program file is started again under load. */
  readonly handOvers: number
  /** How often many servers are started at once on one data directory. */
  readonly serverRounds: number
  readonly powerCuts: number
  /** How many syncs fail, each in a run of its own. */
  readonly failedSyncs: number
  /** How long is reported on each slow disk. */
  readonly slowDiskMs: number
  /** On PostgreSQL: how often replicas are killed, and how often the database is. */
  readonly rounds: number
  readonly failovers: number
  readonly frozenSeconds: number
  /** How large a database is that is upgraded under load. */
  readonly upgradeReports: number
  readonly upgradeCallsMb: number
  /** How long limits are watched while servers die. */
  readonly limitSeconds: number
  readonly lockSeconds: number
  /** How many lines there are, and are imported beside, where others must not wait. */
  readonly waitLines: number
  /** How long a newcomer waits for the server to cut silent connections. */
  readonly handlesSeconds: number
  /** How long two connections send one guide after another without waiting. */
  readonly pipelineSeconds: number
  /** How long short connections, or tiny chunks, are poured onto each address. */
  readonly connectionSeconds: number
  /** How many connections read no answer. */
  readonly unreadConnections: number
  readonly drillSeconds: number
  readonly soakSeconds: number
  /** How many sign in at once. */
  readonly signIns: number
  readonly floodAddresses: number
  readonly floodKeys: number
  readonly diskRefusals: number
  readonly diskCalls: number
  readonly fuzzRequests: number
  readonly malformedMessages: number
  readonly wrongKeyBodies: number
}

export const FULL: Sizes = {
  seed: 20261115,
  judgeTiming: 1,
  killRounds: 200,
  handOvers: 50,
  serverRounds: 40,
  powerCuts: 1_000,
  failedSyncs: 20,
  slowDiskMs: 5_000,
  rounds: 100,
  failovers: 10,
  frozenSeconds: 15,
  upgradeReports: 1_000_000,
  upgradeCallsMb: 512,
  limitSeconds: 100,
  lockSeconds: 30,
  waitLines: 50_000,
  handlesSeconds: 60,
  pipelineSeconds: 10,
  connectionSeconds: 30,
  unreadConnections: 4_000,
  drillSeconds: 45,
  soakSeconds: 600,
  signIns: 200,
  floodAddresses: 1_000_000,
  floodKeys: 10_000,
  diskRefusals: 20_000,
  diskCalls: 20_000,
  fuzzRequests: 100_000,
  malformedMessages: 10_000,
  wrongKeyBodies: 1_000,
}

/** Everything within seconds, for the tests. */
export const SHORT: Sizes = {
  seed: 20261115,
  judgeTiming: 0,
  killRounds: 4,
  handOvers: 2,
  serverRounds: 4,
  powerCuts: 24,
  failedSyncs: 2,
  slowDiskMs: 500,
  rounds: 2,
  failovers: 1,
  frozenSeconds: 6,
  upgradeReports: 5_000,
  upgradeCallsMb: 4,
  limitSeconds: 8,
  lockSeconds: 6,
  waitLines: 1_000,
  handlesSeconds: 0,
  pipelineSeconds: 1,
  connectionSeconds: 1,
  unreadConnections: 200,
  drillSeconds: 0,
  soakSeconds: 4,
  signIns: 60,
  floodAddresses: 5_000,
  floodKeys: 200,
  diskRefusals: 600,
  diskCalls: 2_500,
  fuzzRequests: 1_500,
  malformedMessages: 2_600,
  wrongKeyBodies: 200,
}

export function isSkipped(outcome: object): outcome is Skipped {
  return "skipped" in outcome
}

/** How long the server may work before somebody else's answer. Beside other tests a processor does about half as much in the same time. */
export const workMsMax = (judgeTiming: number): number => (judgeTiming === 1 ? 250 : 500)

/** A folder of its own that goes away. */
export function scratch(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "adbooth-torture-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Problems of a database file as SQLite sees them, and of the totals as their history explains them. */
export function databaseProblems(data: string): string[] {
  using database = new Database(join(data, "adbooth.db"), { readwrite: true })
  const all = <Row>(sql: string) => database.query<Row, []>(sql).all()
  const integrity = all<{ integrity_check: string }>("PRAGMA integrity_check").map((row) => row.integrity_check)
  const problems = integrity.filter((text) => text !== "ok")
  if (all("PRAGMA foreign_key_check").length > 0) problems.push("rows refer to nothing")
  const days = all(ODD_DAYS).length
  if (days > 0) problems.push(`${days} days of lines are not what their reports say`)
  if (all(ODD_TOTALS).length > 0) problems.push("a total is not the newest of its history")
  return problems
}

// Each day (UTC) of a line ends with its last report, and has a row only if it has a report. Days that are still outdated are no problem:
// they are read from the reports until upkeep has worked them out, from the last one back. The seller of the released version has Berlin's
// time, where a report of the last two hours belongs to the next day: its lines are left out if they have one.
const ODD_DAYS = `
  WITH reported AS (SELECT line_id, date(as_of / 1000000, 'unixepoch') AS day, max(as_of) AS as_of
    FROM delivery_report GROUP BY 1, 2),
  odd AS (SELECT * FROM (SELECT * FROM reported EXCEPT SELECT line_id, day, as_of FROM delivery_day)
    UNION ALL SELECT * FROM (SELECT line_id, day, as_of FROM delivery_day EXCEPT SELECT * FROM reported))
  SELECT odd.* FROM odd JOIN package_line l ON l.id = odd.line_id
  LEFT JOIN outdated_days o ON o.organization_id = l.seller_id
  JOIN organization seller ON seller.id = l.seller_id
  WHERE (o.organization_id IS NULL OR odd.day >= o.before) AND (seller.time_zone = 'UTC' OR NOT EXISTS (
    SELECT 1 FROM delivery_report r WHERE r.line_id = odd.line_id AND r.as_of / 3600000000 % 24 >= 22))`

const ODD_TOTALS = `
  SELECT t.line_id FROM delivery_total t
  JOIN (SELECT line_id, max(as_of) AS as_of FROM delivery_report GROUP BY line_id) newest ON newest.line_id = t.line_id
  WHERE newest.as_of <> t.as_of`
