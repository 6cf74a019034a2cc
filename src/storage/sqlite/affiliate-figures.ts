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

const DAYS = "m.date >= coalesce($from, '0000') AND m.date <= coalesce($to, '9999')"
const CODES = `affiliate_code a
  JOIN package_line l ON l.id = a.line_id
  JOIN campaign c ON c.id = l.campaign_id
  JOIN organization o ON o.id = a.organization_id`
const IN_SCOPE = `
  ($organizations IS NULL
    OR l.seller_id IN (SELECT value FROM json_each($organizations))
    OR c.buyer_id IN (SELECT value FROM json_each($organizations)))
  AND ($campaign IS NULL OR c.slug = $campaign)
  AND ($packageId IS NULL OR l.package_id = $packageId)
  AND ($codeId IS NULL OR a.id = $codeId)`

export function affiliateFigures({ database }: Connection): AffiliateFigures {
  const byCode = database.query<Omit<CodeFigures, keyof Figures> & Sums, [Record<string, string | number | null>]>(
    `SELECT a.id AS codeId, a.code, a.slug, l.package_id AS packageId, l.name AS line, l.currency,
       c.slug AS campaign, c.name AS campaignName, o.slug AS seller, max(m.date) AS lastDate, ${SUMS}
     FROM ${CODES} LEFT JOIN affiliate_metric m ON m.code_id = a.id AND ${DAYS}
     WHERE ${IN_SCOPE} GROUP BY a.id ORDER BY c.slug, l.name, l.id, a.code`,
  )
  const byDay = database.query<{ date: string } & Sums, [Record<string, string | number | null>]>(
    `SELECT m.date, ${SUMS} FROM ${CODES} JOIN affiliate_metric m ON m.code_id = a.id
     WHERE ${IN_SCOPE} AND ${DAYS} GROUP BY m.date ORDER BY m.date`,
  )
  return {
    async byCode(scope) {
      return byCode.all(bound(scope)).map((row): CodeFigures => {
        const { codeId, code, slug, packageId, line, campaign, campaignName, seller, currency, lastDate } = row
        const names = { codeId, code, slug, packageId, line, campaign, campaignName, seller, currency, lastDate }
        return { ...names, ...figuresOf(row) }
      })
    },
    async byDay(scope) {
      return byDay.all(bound(scope)).map((row): DayFigures => ({ date: row.date, ...figuresOf(row) }))
    },
  }
}

function bound(scope: AffiliateScope): Record<string, string | number | null> {
  return {
    organizations: scope.organizationIds === null ? null : JSON.stringify(scope.organizationIds),
    campaign: scope.campaign ?? null,
    packageId: scope.packageId ?? null,
    codeId: scope.codeId ?? null,
    from: scope.from ?? null,
    to: scope.to ?? null,
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
