import { addFigures, type Figures, NO_FIGURES } from "../../../domain/affiliate/affiliate-figures.ts"
import type { AffiliateFigures, AffiliateScope, CodeFigures, Company, DayFigures } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"

// Figures can be as large as 2^53-1, so a sum may not fit a number exactly. Millions and the remainder are summed separately and
// put together as a BigInt.
const PART = 1_000_000

interface Sums {
  readonly clicksHigh: number | null
  readonly clicksLow: number | null
  readonly conversionsHigh: number | null
  readonly conversionsLow: number | null
  readonly valueHigh: number | null
  readonly valueLow: number | null
}

const parts = (column: string, name: string) =>
  `sum(m.${column} / ${PART}) AS ${name}High, sum(m.${column} % ${PART}) AS ${name}Low`
const SUMS = [parts("clicks", "clicks"), parts("conversions", "conversions"), parts("value_micros", "value")].join(", ")

// CROSS JOIN fixes the order: codes first, then the days of each, so that days of other codes are never read. A code that was moved
// has one row for each of its lines.
const CODES = `affiliate_code a
  CROSS JOIN affiliate_placement p ON p.code_id = a.id
  CROSS JOIN package_line l ON l.id = p.line_id
  CROSS JOIN campaign c ON c.id = l.campaign_id
  CROSS JOIN organization o ON o.id = a.organization_id`

// After summing up this many codes, others get a turn of the event loop.
const CODES_AT_ONCE = 50
const PART_OF_CODES = "a.id >= $firstCode AND a.id < $firstCode + $codesAtOnce"

// The slug belongs to the line that the code points to now; other lines must not show it, because it may name what is sold there.
const NAMES = `a.id AS codeId, l.id AS lineId, a.code, CASE WHEN a.line_id = p.line_id THEN a.slug END AS slug,
  l.package_id AS packageId, l.name AS line, l.currency, c.slug AS campaign, c.name AS campaignName, o.slug AS seller`

const HAS_FIGURES = `EXISTS
  (SELECT 1 FROM affiliate_metric any WHERE any.code_id = p.code_id AND any.line_id = p.line_id)`

type CodeRow = Omit<CodeFigures, keyof Figures> & Sums & { readonly lineId: number }

export function affiliateFigures({ database }: Connection): AffiliateFigures {
  const lastCode = database.query<{ id: number }, []>("SELECT id FROM affiliate_code ORDER BY id DESC LIMIT 1")

  /** The rows of a query, a few codes at a time: there may be thousands of codes with years of days. */
  async function* inParts<Row>(sql: string, { codeId, ...scope }: AffiliateScope, codesAtOnce: number) {
    const ask = database.query<Row, [Values]>(sql)
    const end = codeId ?? lastCode.get()?.id ?? 0
    for (let firstCode = codeId ?? 1; firstCode <= end; firstCode += codesAtOnce) {
      yield ask.all({ ...valuesOf(scope), firstCode, codesAtOnce: codeId === undefined ? codesAtOnce : 1 })
      await new Promise(setImmediate)
    }
  }

  return {
    async byCode(scope) {
      const sql = `SELECT ${NAMES}, max(m.date) AS lastDate, ${SUMS}
        FROM ${CODES} LEFT JOIN affiliate_metric m ON ${daysOf(scope)}
        WHERE ${PART_OF_CODES} AND ${codesOf(scope)} AND (a.line_id = p.line_id OR ${HAS_FIGURES})
        GROUP BY a.id, p.line_id`
      const rows: CodeRow[] = []
      for await (const part of inParts<CodeRow>(sql, scope, CODES_AT_ONCE)) rows.push(...part)
      return rows.sort(inOrder).map((row): CodeFigures => {
        const { codeId, code, slug, packageId, line, campaign, campaignName, seller, currency, lastDate } = row
        const names = { codeId, code, slug, packageId, line, campaign, campaignName, seller, currency, lastDate }
        return { ...names, ...figuresOf(row) }
      })
    },
    async byDay(scope) {
      const sql = `SELECT m.date, ${SUMS} FROM ${CODES} CROSS JOIN affiliate_metric m ON ${daysOf(scope)}
        WHERE ${PART_OF_CODES} AND ${codesOf(scope)} GROUP BY m.date`
      const days = new Map<string, Figures>()
      for await (const part of inParts<{ date: string } & Sums>(sql, scope, CODES_AT_ONCE))
        for (const row of part) days.set(row.date, addFigures(days.get(row.date) ?? NO_FIGURES, figuresOf(row)))
      return [...days.keys()].sort().map((date): DayFigures => ({ date, ...(days.get(date) ?? NO_FIGURES) }))
    },
    async campaigns({ organizationIds }) {
      const scope = { organizationIds }
      const sql = `SELECT DISTINCT c.slug, c.name FROM ${CODES} WHERE ${PART_OF_CODES} AND ${codesOf(scope)}`
      const names = new Map<string, string>()
      for await (const part of inParts<Company>(sql, scope, CODES_AT_ONCE * 10))
        for (const { slug, name } of part) names.set(slug, name)
      return [...names.keys()].sort().map((slug) => ({ slug, name: names.get(slug) ?? slug }))
    },
  }
}

/** By campaign, line and code. */
function inOrder(one: CodeRow, other: CodeRow): number {
  return (
    compare(one.campaign, other.campaign) ||
    compare(one.line, other.line) ||
    one.lineId - other.lineId ||
    compare(one.code, other.code)
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

type Values = Record<string, string | number>

function daysOf({ from, to }: AffiliateScope): string {
  return [
    "m.code_id = p.code_id",
    "m.line_id = p.line_id",
    ...(from === undefined ? [] : ["m.date >= $from"]),
    ...(to === undefined ? [] : ["m.date <= $to"]),
  ].join(" AND ")
}

function codesOf({ organizationIds, campaign, packageId }: AffiliateScope): string {
  const theirs = "(SELECT value FROM json_each($organizations))"
  return [
    "TRUE",
    ...(organizationIds === null ? [] : [`(l.seller_id IN ${theirs} OR c.buyer_id IN ${theirs})`]),
    ...(campaign === undefined ? [] : ["c.slug = $campaign"]),
    ...(packageId === undefined ? [] : ["l.package_id = $packageId"]),
  ].join(" AND ")
}

/** Exactly the parameters that the SQL uses: SQLite rejects any other. */
function valuesOf({ organizationIds, campaign, packageId, from, to }: AffiliateScope): Values {
  return {
    ...(organizationIds !== null && { organizations: JSON.stringify(organizationIds) }),
    ...(campaign !== undefined && { campaign }),
    ...(packageId !== undefined && { packageId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function figuresOf(sums: Sums): Figures {
  return {
    clicks: whole(sums.clicksHigh, sums.clicksLow),
    conversions: whole(sums.conversionsHigh, sums.conversionsLow),
    valueMicros: whole(sums.valueHigh, sums.valueLow),
  }
}

function whole(high: number | null, low: number | null): bigint | null {
  return high === null || low === null ? null : BigInt(high) * BigInt(PART) + BigInt(low)
}
