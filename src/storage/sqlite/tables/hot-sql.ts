// The statements that run for every item of a feed. Tests check their query plans: each finds its rows by an index, however long the
// history grows.

import { DAY_REPORTED_AGAIN } from "../../steps/bind-day-to-line.ts"

export const KEY_SQL = {
  activeIngestKey: `SELECT id, organization_id AS organizationId FROM ingest_key
    WHERE fingerprint = ?1 AND revoked_at IS NULL`,
  activeAgentKey: "SELECT id FROM agent_key WHERE fingerprint = ?1 AND revoked_at IS NULL",
}

export const SELLER_SQL = {
  timeZone: "SELECT time_zone AS timeZone FROM organization WHERE id = ?1",
}

export const DELIVERY_SQL = {
  /** The line of a package, if this organization sells it. */
  lineSold: `SELECT id AS lineId, pricing_basis AS pricingBasis, flight_start AS flightStart
    FROM package_line WHERE package_id = ?1 AND seller_id = ?2`,

  currentTotal: "SELECT quantity, as_of AS asOf FROM delivery_total WHERE line_id = ?1",
  lastOfMoment: `SELECT quantity, received_at AS receivedAt FROM delivery_report
    WHERE as_of = ?2 AND line_id = ?1 ORDER BY received_at DESC LIMIT 1`,

  /** A lower total of the same moment no longer counts. */
  lowerAtMoment: "SELECT 1 FROM delivery_report WHERE as_of = ?2 AND line_id = ?1 AND quantity < ?3",

  insertReports: insertReports("(?, ?, ?, ?, ?)"),
  upsertTotals: upsertTotals("(?, ?, ?, ?, ?)"),
  upsertDays: upsertDays("(?, ?, ?, ?, ?)"),

  findSource: "SELECT id FROM delivery_source WHERE kind = ?1 AND reference = ?2 AND detail = ?3",
  addSource: "INSERT INTO delivery_source (kind, reference, detail) VALUES (?1, ?2, ?3) RETURNING id",
}

/** Where somebody has removed a total, its report is there already. OR IGNORE would be faster, and ignore a missing value, too. */
export function insertReports(rows: string): string {
  return `INSERT INTO delivery_report (line_id, as_of, quantity, received_at, source_id) VALUES ${rows} ON CONFLICT DO NOTHING`
}

/** The newest of what is said of a line is its current total. From the rows of its days, which are written with it. */
export function upsertTotals(rows: string): string {
  return `INSERT INTO delivery_total (line_id, as_of, quantity) SELECT column1, column3, column4 FROM (VALUES ${rows})
    WHERE true ON CONFLICT (line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity
    WHERE excluded.as_of >= as_of`
}

/** See `withTotal` in domain/delivery/line-day.ts. */
export function upsertDays(rows: string): string {
  return `INSERT INTO delivery_day (line_id, day, as_of, quantity, low) VALUES ${rows}
    ON CONFLICT DO UPDATE SET as_of = max(as_of, excluded.as_of),
      quantity = iif(excluded.as_of >= as_of, excluded.quantity, quantity), low = min(coalesce(low, quantity), excluded.low)`
}

export const AFFILIATE_SQL = {
  /** A code and the line that it points to, if this organization sells that line. */
  codeSold: `SELECT c.id AS codeId, c.line_id AS lineId FROM affiliate_code c JOIN package_line l ON l.id = c.line_id
    WHERE c.code = ?1 AND c.organization_id = ?2 AND l.seller_id = ?2`,

  lineOfCode: "SELECT line_id AS lineId FROM affiliate_code WHERE organization_id = ?1 AND code = ?2",

  /** A missing slug leaves the stored one. */
  upsertCode: `INSERT INTO affiliate_code (organization_id, code, line_id, slug, updated_at) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (organization_id, code) DO UPDATE SET
      line_id = excluded.line_id, slug = coalesce(excluded.slug, slug), updated_at = excluded.updated_at`,

  insertPlacement: `INSERT INTO affiliate_placement (line_id, code_id)
    SELECT line_id, id FROM affiliate_code WHERE organization_id = ?1 AND code = ?2
    ON CONFLICT DO NOTHING`,

  upsertMetrics: upsertMetrics("(?, ?, ?, ?, ?, ?, ?)"),
}

export function upsertMetrics(rows: string): string {
  return `INSERT INTO affiliate_metric (code_id, date, clicks, conversions, value_micros, updated_at, line_id) VALUES ${rows}
    ${DAY_REPORTED_AGAIN}`
}
