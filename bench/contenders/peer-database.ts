import { Database } from "bun:sqlite"
import { createHash } from "node:crypto"
import { FLIGHT_START, packageIds } from "../workload/lines.ts"

export const PEER_KEY = "bench-key-of-the-peers"

/** The tables and lines that the Express and Fastify contenders work on: text keys, as commonly chosen. */
export function createPeerDatabase(file: string): void {
  using database = new Database(file, { create: true })
  database.run(
    "CREATE TABLE api_key (id INTEGER PRIMARY KEY, fingerprint TEXT UNIQUE, organization_id INTEGER, revoked_at TEXT)",
  )
  database.run(`CREATE TABLE package_line (
    package_id TEXT PRIMARY KEY, organization_id INTEGER, pricing_basis TEXT, flight_start TEXT)`)
  database.run(`CREATE TABLE delivery_report (package_id TEXT, quantity REAL, as_of TEXT, received_at TEXT, key_id INTEGER,
    PRIMARY KEY (package_id, as_of, quantity))`)
  database.run("CREATE TABLE delivery_total (package_id TEXT PRIMARY KEY, quantity REAL, as_of TEXT, received_at TEXT)")
  const fingerprint = createHash("sha256").update(PEER_KEY).digest("hex")
  database.run("INSERT INTO api_key VALUES (1, ?, 1, NULL)", [fingerprint])
  const addLine = database.prepare("INSERT INTO package_line VALUES (?, 1, 'impressions', ?)")
  database.transaction(() => {
    for (const id of packageIds) addLine.run(id, FLIGHT_START)
  })()
}
