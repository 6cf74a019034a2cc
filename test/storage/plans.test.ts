import { expect, test } from "bun:test"
import { codeDays, codeFigures, codesByName } from "../../src/storage/campaigns/affiliates.ts"
import { campaignsOf } from "../../src/storage/campaigns/campaigns.ts"
import { lineById, linesBoughtBy, linesOf, linesSoldBy } from "../../src/storage/campaigns/lines.ts"
import type { ReadTx, Tx, Value } from "../../src/storage/database.ts"
import { days, totalsThrough } from "../../src/storage/delivery/days.ts"
import { historyOf, NEWEST } from "../../src/storage/delivery/history.ts"
import { recordTotals } from "../../src/storage/delivery/totals.ts"
import { activeKey } from "../../src/storage/keys.ts"
import { type Engine, eachEngine, moment, openStore, type TestStore } from "../harness/store.ts"

const SELLERS = 40
const LINES = 1_000
const HOURS = 35
const DAYS = 35
const FIRST = moment("2026-02-01T00:00")
const HOUR = 3_600_000_000

const packageId = (line: number) => `00000000-0000-4000-8000-${String(line).padStart(12, "0")}`

/** More than most servers have, as plain SQL: going through the API would take minutes. */
async function fill(tx: Tx, engine: Engine): Promise<void> {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
  const sellers = ids(SELLERS)
  const named = (id: number) => ({ id, slug: `slug-${id}`, name: `Name ${id}` })
  await tx.insertMany(
    tx.organization,
    sellers.map((id) => ({ ...named(id), timeZone: "UTC" })),
  )
  const campaigns = sellers.map((id) => ({ ...named(id), buyerId: (id % SELLERS) + 1, ownerId: id }))
  await tx.insertMany(tx.campaign, campaigns)
  const terms = { pricingBasis: "impressions", flightStart: "2026-01-01", booked: 1_000 } as const
  const lines = ids(LINES).map((id) => {
    const seller = (id % SELLERS) + 1
    return { ...terms, id, packageId: packageId(id), campaignId: seller, sellerId: seller, name: `Line ${id}` }
  })
  await tx.insertMany(tx.line, lines)
  const keys = lines.map(({ id, sellerId }) => {
    return { id, organizationId: sellerId, label: "", prefix: `p${id}`, fingerprint: `f${id}`, createdAt: 0 }
  })
  await tx.insertMany(tx.apiKey, keys)
  await tx.insertMany(
    tx.deliverySource,
    keys.map(({ id }) => ({ id, kind: "key", reference: String(id) })),
  )
  await tx.insertMany(
    tx.deliveryTotal,
    lines.map(({ id }) => {
      return { lineId: id, asOf: FIRST + HOURS * HOUR, quantity: HOURS, firstDay: "2026-02-01" }
    }),
  )
  const numbers = (count: number) =>
    `(WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count}) SELECT n FROM number) AS hour`
  const moments = `${FIRST} + n * CAST(${HOUR} AS bigint)`
  await tx.rows(
    `INSERT INTO delivery_report SELECT ${moments}, id, ${moments}, n, 1 FROM ${numbers(HOURS)} CROSS JOIN line`,
    [],
    {},
  )
  const date = engine === "SQLite" ? "date('2026-02-01', '+' || n || ' days')" : "(date '2026-02-01' + n)::text"
  await tx.rows(
    `INSERT INTO delivery_day SELECT ${date}, id, ${moments}, n, n FROM ${numbers(DAYS)} CROSS JOIN line`,
    [],
    {},
  )
  const codes = lines.map(({ id, sellerId }) => ({
    id,
    organizationId: sellerId,
    code: `c${id}`,
    lineId: id,
  }))
  await tx.insertMany(tx.affiliateCode, codes)
  await tx.rows(
    `INSERT INTO affiliate_metric SELECT id, ${date}, id, n, n, n FROM ${numbers(DAYS)} CROSS JOIN line`,
    [],
    {},
  )
}

/** Notes every statement that runs. */
function watch<Read extends ReadTx>(read: Read): { readonly read: Read; readonly statements: Statement[] } {
  const statements: Statement[] = []
  const rows: ReadTx["rows"] = (text, values, columns) => {
    statements.push({ text, values })
    return read.rows(text, values, columns)
  }
  return { read: Object.assign(Object.create(read), { rows }), statements }
}

interface Statement {
  readonly text: string
  readonly values: readonly Value[]
}

async function planOf(read: ReadTx, engine: Engine, { text, values }: Statement): Promise<string> {
  if (engine === "SQLite") {
    const steps = await read.rows(`EXPLAIN QUERY PLAN ${text}`, values, { detail: String })
    return steps.map(({ detail }) => detail).join("\n")
  }
  const steps = await read.rows(`EXPLAIN ${text}`, values, { "QUERY PLAN": String })
  return steps.map((step) => step["QUERY PLAN"]).join("\n")
}

// Tables that grow. The others have a row for each company or so.
const WHOLE_TABLE = /(SCAN|Seq Scan on) (delivery_report|delivery_day|line|affiliate_metric|api_key)\b/

const LINE = { id: 7, timeZone: "UTC" }

/** What a request, a page or a statement asks most often. */
async function runHotQueries(read: ReadTx): Promise<void> {
  const lineIds = [7, 47, 87]
  await activeKey(read, "f7")
  await days(read, lineIds, "2026-03-01", "2026-03-14")
  await totalsThrough(read, lineIds, "2026-02-28")
  await historyOf(read, LINE, { before: NEWEST, limit: 10, isSeller: true })
  await lineById(read, 8, packageId(7))
  await linesOf(read, 8, 8)
  await linesSoldBy(read, 8)
  await linesBoughtBy(read, 8)
  await campaignsOf(read, 8)
  await codesByName(read, 8, ["c7"])
  await codeFigures(read, lineIds)
  await codeDays(read, lineIds, { from: "2026-03-01", to: "2026-03-14" })
}

async function report(store: TestStore): Promise<Statement[]> {
  const source = { kind: "key", reference: "7", actor: "key:7" } as const
  const item = { packageId: packageId(7), unit: "impressions", quantity: 1_000, asOf: "2026-02-20" } as const
  return store.database.transactReport(async (tx) => {
    const { read, statements } = watch(tx)
    await recordTotals(read, 8, [item], source, moment("2026-03-02T12:00"))
    // Older than the current total.
    await recordTotals(read, 8, [{ ...item, asOf: "2026-02-02" }], source, moment("2026-03-02T12:00"))
    return statements
  })
}

eachEngine((engine) => {
  test("no hot query reads a whole table", async () => {
    await using store = await openStore(engine)
    await store.database.transact((tx) => fill(tx, engine), { msMax: 60_000 })
    await store.database.transactBeside(async (tx) => void (await tx.rows("ANALYZE", [], {})))
    const { read, statements } = watch(store.database.read)
    await runHotQueries(read)
    const all = [...statements, ...(await report(store))]
    expect(all.length).toBeGreaterThan(20)
    const explained = all.filter(({ text }) => /^SELECT/.test(text))
    for (const statement of explained) {
      const plan = await planOf(store.database.read, engine, statement)
      expect([statement.text, plan.match(WHOLE_TABLE)?.[0]]).toEqual([statement.text, undefined])
    }
  })
})
