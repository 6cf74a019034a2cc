import type { Figures } from "../../../domain/affiliate/affiliate-figures.ts"
import type { AffiliateFigures, AffiliateScope, CodeFigures, Company, DayFigures } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"

// Sums may exceed 2^53: they come as text.
const SUMS = `sum(m.clicks)::text AS clicks, sum(m.conversions)::text AS conversions, sum(m.value_micros)::text AS "valueMicros"`

// There may be thousands of codes with years of days.
const SUMMING = { withinMs: 30_000 }

// A code that was moved has one row for each of its lines.
const CODES = `affiliate_code a
  JOIN affiliate_placement p ON p.code_id = a.id
  JOIN package_line l ON l.id = p.line_id
  JOIN campaign c ON c.id = l.campaign_id
  JOIN organization o ON o.id = a.organization_id`

// What is not asked for is null.
const IN_SCOPE = `($1::bigint[] IS NULL OR l.seller_id = ANY($1) OR c.buyer_id = ANY($1))
  AND ($2::text IS NULL OR c.slug = $2) AND ($3::text IS NULL OR l.package_id = $3) AND ($4::bigint IS NULL OR a.id = $4)`

const DAYS = `m.code_id = p.code_id AND m.line_id = p.line_id
  AND ($5::text IS NULL OR m.date >= $5) AND ($6::text IS NULL OR m.date <= $6)`

// The slug belongs to the line that the code points to now; other lines must not show it, because it may name what is sold there.
const BY_CODE = `SELECT a.id AS "codeId", a.code, CASE WHEN a.line_id = p.line_id THEN a.slug END AS slug,
    a.line_id = p.line_id AS "isCurrent",
    l.package_id AS "packageId", l.name AS line, c.slug AS campaign, c.name AS "campaignName", o.slug AS seller, l.currency,
    max(m.date) AS "lastDate", ${SUMS}
  FROM ${CODES} LEFT JOIN affiliate_metric m ON ${DAYS}
  WHERE ${IN_SCOPE} AND (a.line_id = p.line_id OR EXISTS
    (SELECT 1 FROM affiliate_metric any_day WHERE any_day.code_id = p.code_id AND any_day.line_id = p.line_id))
  GROUP BY a.id, p.line_id, l.id, c.id, o.id ORDER BY c.slug, l.name, l.id, a.code`

const BY_DAY = `SELECT m.date, ${SUMS} FROM ${CODES} JOIN affiliate_metric m ON ${DAYS}
  WHERE ${IN_SCOPE} GROUP BY m.date ORDER BY m.date`

const CAMPAIGNS = `SELECT DISTINCT c.slug, c.name FROM ${CODES} WHERE ${IN_SCOPE} ORDER BY c.slug`

type Sums = { readonly [Name in keyof Figures]: string | null }

export function affiliateFigures({ read }: Connection): AffiliateFigures {
  const ask = <Row>(statement: string, values: readonly (string | number | readonly number[] | null)[]) =>
    read((session) => session.rows<Row>(statement, values), SUMMING)
  return {
    async figures(scope) {
      const values = [...codesIn(scope), ...daysIn(scope)]
      const [codes, days] = await Promise.all([
        ask<Omit<CodeFigures, keyof Figures> & Sums>(BY_CODE, values),
        ask<{ readonly date: string } & Sums>(BY_DAY, values),
      ])
      return {
        codes: codes.map((row): CodeFigures => ({ ...row, ...figuresOf(row) })),
        days: days.map((row): DayFigures => ({ date: row.date, ...figuresOf(row) })),
      }
    },
    campaigns: ({ organizationIds }) => ask<Company>(CAMPAIGNS, codesIn({ organizationIds })),
  }
}

function codesIn({ organizationIds, campaign, packageId, codeId }: AffiliateScope) {
  return [organizationIds, campaign ?? null, packageId ?? null, codeId ?? null] as const
}

function daysIn({ from, to }: AffiliateScope) {
  return [from ?? null, to ?? null] as const
}

function figuresOf({ clicks, conversions, valueMicros }: Sums): Figures {
  return { clicks: whole(clicks), conversions: whole(conversions), valueMicros: whole(valueMicros) }
}

function whole(sum: string | null): bigint | null {
  return sum === null ? null : BigInt(sum)
}
