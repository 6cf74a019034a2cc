import type { Figures } from "../../domain/affiliate-figures.ts"
import type { AffiliateFigures, AffiliateScope, CodeFigures, DayFigures } from "../store.ts"
import type { Connection } from "./connection.ts"

// A figure may be as large as 2^53-1 and there may be many: whole millions and the rest are summed apart, so that neither sum
// leaves what a number holds exactly, and are put together as one big integer.
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

// The codes come first and each one's days are read in order: the days of everybody else are never touched. A code that was moved
// comes once for each line that it has figures of.
const CODES = `affiliate_placement p
  JOIN affiliate_code a ON a.id = p.code_id
  JOIN package_line l ON l.id = p.line_id
  JOIN campaign c ON c.id = l.campaign_id
  JOIN organization o ON o.id = a.organization_id`

// The slug is of the line that the code points to now: it may name what is sold there.
const NAMES = `a.id AS codeId, a.code, CASE WHEN a.line_id = p.line_id THEN a.slug END AS slug, l.package_id AS packageId, l.name AS line, l.currency,
  c.slug AS campaign, c.name AS campaignName, o.slug AS seller`

const HAS_FIGURES = `EXISTS
  (SELECT 1 FROM affiliate_metric any WHERE any.code_id = p.code_id AND any.line_id = p.line_id)`

export function affiliateFigures({ database }: Connection): AffiliateFigures {
  return {
    async byCode(scope) {
      const sql = `SELECT ${NAMES}, max(m.date) AS lastDate, ${SUMS}
        FROM ${CODES} LEFT JOIN affiliate_metric m ON ${daysOf(scope)}
        WHERE ${codesOf(scope)} AND (a.line_id = p.line_id OR ${HAS_FIGURES})
        GROUP BY p.line_id, p.code_id ORDER BY c.slug, l.name, l.id, a.code`
      const rows = database.query<Omit<CodeFigures, keyof Figures> & Sums, [Values]>(sql).all(valuesOf(scope))
      return rows.map((row): CodeFigures => {
        const { codeId, code, slug, packageId, line, campaign, campaignName, seller, currency, lastDate } = row
        const names = { codeId, code, slug, packageId, line, campaign, campaignName, seller, currency, lastDate }
        return { ...names, ...figuresOf(row) }
      })
    },
    async byDay(scope) {
      const sql = `SELECT m.date, ${SUMS} FROM ${CODES} CROSS JOIN affiliate_metric m ON ${daysOf(scope)}
        WHERE ${codesOf(scope)} GROUP BY m.date ORDER BY m.date`
      const rows = database.query<{ date: string } & Sums, [Values]>(sql).all(valuesOf(scope))
      return rows.map((row): DayFigures => ({ date: row.date, ...figuresOf(row) }))
    },
  }
}

type Values = Record<string, string | number>

function daysOf({ from, to }: AffiliateScope): string {
  return [
    "m.code_id = p.code_id",
    "m.line_id = p.line_id",
    ...(from === undefined ? [] : ["m.date >= $from"]),
    ...(to === undefined ? [] : ["m.date <= $to"]),
  ].join(" AND ")
}

function codesOf({ organizationIds, campaign, packageId, codeId }: AffiliateScope): string {
  const theirs = "(SELECT value FROM json_each($organizations))"
  return [
    "TRUE",
    ...(organizationIds === null ? [] : [`(l.seller_id IN ${theirs} OR c.buyer_id IN ${theirs})`]),
    ...(campaign === undefined ? [] : ["c.slug = $campaign"]),
    ...(packageId === undefined ? [] : ["l.package_id = $packageId"]),
    ...(codeId === undefined ? [] : ["p.code_id = $codeId"]),
  ].join(" AND ")
}

/** Exactly the values that the text above names: the engine refuses others. */
function valuesOf({ organizationIds, campaign, packageId, codeId, from, to }: AffiliateScope): Values {
  return {
    ...(organizationIds !== null && { organizations: JSON.stringify(organizationIds) }),
    ...(campaign !== undefined && { campaign }),
    ...(packageId !== undefined && { packageId }),
    ...(codeId !== undefined && { codeId }),
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
