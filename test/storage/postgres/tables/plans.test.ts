import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SQL } from "bun"
import type { Connection } from "../../../../src/storage/postgres/engine/connection.ts"
import { rowsOf, type Session } from "../../../../src/storage/postgres/engine/session.ts"
import { campaigns } from "../../../../src/storage/postgres/tables/campaigns.ts"
import { packageLines } from "../../../../src/storage/postgres/tables/package-lines.ts"
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
  async function plansOf(ask: (connection: Connection) => Promise<unknown>): Promise<string> {
    const plans: string[] = []
    const rows: Session["rows"] = async (statement, values) => {
      const plan = await rowsOf<{ "QUERY PLAN": string }>(client, `EXPLAIN ${statement}`, values)
      plans.push(...plan.map((row) => row["QUERY PLAN"]))
      return rowsOf(client, statement, values)
    }
    const read = <Result>(query: (session: Session) => Promise<Result>) => query({ rows } as Session)
    await ask({ read } as Connection)
    return plans.join("\n")
  }

  const head = { id: 1, slug: "c1", name: "C", buyer: { id: 2, slug: "o2", name: "O" }, archived: false }
  const after = { flightStart: "2026-11-01", name: "L", lineId: 7_000 }

  test.each([
    ["the buyer", 2, {}, "package_line_campaign"],
    ["a seller", 2, { sold: true }, "package_line_campaign_seller"],
  ] as const)(
    "%s reads a page of lines in the order of an index, and only their totals",
    async (_, id, scope, index) => {
      const page = { ...scope, offset: 2_000, limit: 50 }
      for (const plan of [
        await plansOf((on) => campaigns(on).find(id, "c1", page)),
        await plansOf((on) => campaigns(on).lines(id, head, { ...scope, after, limit: 50 })),
      ]) {
        expect(plan).toMatch(new RegExp(`Limit.*\\n *->  Index (?:Only )?Scan using ${index} on package_line`))
        expect(plan).toContain("delivery_total_pkey")
        expect(plan).not.toMatch(/Seq Scan on (?:package_line|delivery_total|campaign)/)
      }
    },
  )

  test.each([
    ["sells much", 2],
    ["sells little", 50],
    ["is unknown", 999_999],
  ])("an organization that %s gets its campaigns newest first from an index", async (_, id) => {
    for (const plan of [
      await plansOf((on) => campaigns(on).list(id, { offset: 0, limit: 50 })),
      await plansOf((on) => campaigns(on).listAfter(id, { id: 4_000, createdAt: 4_000 }, 50)),
    ]) {
      expect(plan).toContain("Index Scan Backward using campaign_newest on campaign")
      expect(plan).toContain("package_line_seller on package_line")
      expect(plan).not.toMatch(/Seq Scan on (?:package_line|campaign)|Sort/)
    }
  })

  test("the lines of some campaigns, of a seller and of a flight are found by an index, and only their totals", async () => {
    const range = { from: "2026-11-01", to: "2026-11-02", after: null, limit: 100 }
    for (const plan of [
      await plansOf((on) => campaigns(on).listedLines(50, [{ ...head, id: 7 }, head])),
      await plansOf((on) => campaigns(on).soldLines(2, 7_000, 100)),
      await plansOf((on) => campaigns(on).listedInFlight(50, range)),
      await plansOf((on) => campaigns(on).flyingLines(2, [7_000, 7_001])),
    ]) {
      expect(plan).toContain("delivery_total_pkey")
      expect(plan).not.toMatch(/Seq Scan on (?:package_line|delivery_total|campaign)/)
    }
  })

  test("lines are found by their package ids", async () => {
    const plan = await plansOf((on) => packageLines(on).findSold(2, ["q1", "q2", "p3"]))
    expect(plan).toContain("package_line_package_id_unique")
    expect(plan).not.toContain("Seq Scan")
  })
})
