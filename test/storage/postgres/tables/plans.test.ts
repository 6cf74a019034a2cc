import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { rowsOf, type Session } from "../../../../src/storage/postgres/engine/session.ts"
import { steps } from "../../../../src/storage/postgres/engine/steps.ts"
import type { Access } from "../../../../src/storage/postgres/engine/transaction.ts"
import { campaignLineReads } from "../../../../src/storage/steps/campaign-lines.ts"
import { packageLineReads } from "../../../../src/storage/steps/package-lines.ts"
import { reads } from "../../../../src/storage/steps/step.ts"
import { freshDatabase, noPostgres, type TestDatabase } from "../server.ts"

// What PostgreSQL does for the pages of large installations. The largest campaign has lines that differ in nothing but their id.

const FILL = `
  INSERT INTO organization (slug, name, created_at) SELECT 'o' || n, 'O', n FROM generate_series(1, 100) n;
  INSERT INTO campaign (slug, name, buyer_id, created_at) SELECT 'c' || n, 'C', 1 + n % 100, n FROM generate_series(1, 5000) n;
  INSERT INTO package_line (package_id, campaign_id, seller_id, name, pricing_basis, flight_start, created_at)
    SELECT 'p' || n, n, 1 + n * 7 % 100, 'L', 'impressions', '2026-11-01', n FROM generate_series(1, 5000) n;
  INSERT INTO package_line (package_id, campaign_id, seller_id, name, pricing_basis, flight_start, created_at)
    SELECT 'q' || n, 1, 2, 'L', 'impressions', '2026-11-01', n FROM generate_series(1, 5000) n;
  INSERT INTO delivery_total SELECT id, 1, 1, 1, 1 FROM package_line`

describe.skipIf(noPostgres !== null)("the plans of PostgreSQL", () => {
  let database: TestDatabase
  let client: SQL
  beforeAll(async () => {
    database = await freshDatabase()
    client = new SQL(database.url, { max: 1 })
    await client.unsafe(FILL).simple()
    await client.unsafe("VACUUM ANALYZE")
  })
  afterAll(async () => {
    await client.close()
    await database[Symbol.asyncDispose]()
  })

  /** The plan of every statement of a read, as text. */
  async function plansOf(ask: (access: Access) => Promise<unknown>): Promise<string> {
    const plans: string[] = []
    const rows: Session["rows"] = async (statement, values) => {
      const plan = await rowsOf<{ "QUERY PLAN": string }>(client, `EXPLAIN ${statement}`, values)
      plans.push(...plan.map((row) => row["QUERY PLAN"]))
      return rowsOf(client, statement, values)
    }
    const read = <Result>(query: (session: Session) => Promise<Result>) => query({ rows } as Session)
    await ask({ read } as Access)
    return plans.join("\n")
  }

  const lines = (on: Access) => reads(steps(on), campaignLineReads)

  test("a page of lines and those of some ids are found by an index, and only their totals", async () => {
    for (const plan of [
      await plansOf((on) => lines(on).find(2, "c1", { offset: 0, limit: 50 })),
      await plansOf((on) => lines(on).flyingLines(2, [7_000, 7_001])),
    ]) {
      expect(plan).toContain("delivery_total_pkey")
      expect(plan).not.toMatch(/Seq Scan on (?:package_line|delivery_total|campaign)/)
    }
  })

  test("lines are found by their package ids", async () => {
    const plan = await plansOf((on) => reads(steps(on), packageLineReads).findSold(2, ["q1", "q2", "p3"]))
    expect(plan).toContain("package_line_package_id_unique")
    expect(plan).not.toContain("Seq Scan")
  })
})
