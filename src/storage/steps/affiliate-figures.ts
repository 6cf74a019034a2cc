import { type SQL, sql } from "drizzle-orm"
import { addFigures, type Figures, NO_FIGURES } from "../../domain/affiliate/affiliate-figures.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import { nextTurn } from "../../next-turn.ts"
import type { AffiliateScope, CampaignName, CodeFigures, DayFigures } from "../port/affiliates.ts"
import { all, and, inArray, or, type ReadTx, type Step, type Steps } from "./step.ts"

// A code that was moved has one row for each of its lines.
const CODES =
  sql.raw(`affiliate_code a JOIN affiliate_placement p ON p.code_id = a.id JOIN package_line l ON l.id = p.line_id
  JOIN campaign c ON c.id = l.campaign_id`)

// The slug belongs to the line that the code points to now; other lines must not show it, because it may name what is sold there.
const NAMES =
  sql.raw(`SELECT a.id AS "codeId", l.id AS "lineId", a.code, CASE WHEN a.line_id = p.line_id THEN a.slug END AS slug,
  CASE WHEN a.line_id = p.line_id THEN 1 ELSE 0 END AS "isCurrent", l.package_id AS "packageId", l.name AS line, l.currency,
  c.slug AS campaign, c.name AS "campaignName", o.slug AS seller`)
const HAS_FIGURES = sql.raw(`EXISTS
  (SELECT 1 FROM affiliate_metric other WHERE other.code_id = p.code_id AND other.line_id = p.line_id)`)

// Others are served after so many codes with all their days.
const CODES_AT_ONCE = 100

export function affiliateFigures({ query }: Pick<Steps, "query">) {
  return {
    /**
     * The sums of every code in scope, by campaign, line and code, and of every day that has a report, oldest first. A code that was moved
     * has one entry for each of its lines.
     */
    async figures(scope: AffiliateScope) {
      const names = await query((tx) => codeNames(tx, scope))
      const codes = [...Map.groupBy(names, ({ codeId }) => codeId).values()]
      const sums: Sums = { byCode: new Map(), byDay: new Map() }
      for (const some of inParts(codes, CODES_AT_ONCE)) {
        await query((tx) => addSums(tx, sums, scope, some.flat()))
        await nextTurn()
      }
      return figuresIn(names, sums)
    },
    /** The campaigns that have a code in scope, by slug. */
    campaigns(scope: Pick<AffiliateScope, "organizationIds">) {
      const names = sql`SELECT DISTINCT c.slug, c.name FROM ${CODES} WHERE ${isIn(scope)} ORDER BY c.slug`
      return query(({ statement }) => all(statement<CampaignName>(names)))
    },
  }
}

function isIn({ organizationIds, campaign, packageId, codeId }: AffiliateScope): SQL {
  const isTheirs = (ids: readonly number[]) =>
    or(inArray(sql`l.seller_id`, [...ids]), inArray(sql`c.buyer_id`, [...ids]))
  const conditions = and(
    organizationIds === null ? undefined : isTheirs(organizationIds),
    campaign === undefined ? undefined : sql`c.slug = ${campaign}`,
    packageId === undefined ? undefined : sql`l.package_id = ${packageId}`,
    codeId === undefined ? undefined : sql`a.id = ${codeId}`,
  )
  return conditions ?? sql`TRUE`
}

type CodeName = Omit<CodeFigures, keyof Figures | "lastDate" | "isCurrent"> &
  Readonly<{ lineId: number; isCurrent: number }>

function codeNames({ statement }: ReadTx, scope: AffiliateScope): Step<CodeName[]> {
  const named = sql`${NAMES} FROM ${CODES} JOIN organization o ON o.id = a.organization_id
    WHERE ${isIn(scope)} AND (a.line_id = p.line_id OR ${HAS_FIGURES}) ORDER BY c.slug, l.name, l.id, a.code`
  return all(statement<CodeName>(named))
}

// Figures can be as large as 2^53-1, so a sum may fit neither a number nor the database's: millions and the rest are summed apart.
const SUMS = sql.raw(
  Object.entries({ clicks: "clicks", conversions: "conversions", valueMicros: "value_micros" })
    .flatMap(([name, column]) => [
      `CAST(sum(${column} / 1000000) AS bigint) AS "${name}"`,
      `CAST(sum(${column} % 1000000) AS bigint) AS "${name}Rest"`,
    ])
    .join(", "),
)

type SumRow = { readonly [Name in keyof Figures | `${keyof Figures}Rest`]: number | null }
type DaysOfCode = Figures & { readonly lastDate: string }

type Sums = Readonly<{ byCode: Map<string, DaysOfCode>; byDay: Map<string, Figures> }>

/** Whether a code's figures are in scope depends on their line alone. */
function* addSums(
  { statement }: ReadTx,
  { byCode, byDay }: Sums,
  { from, to }: AffiliateScope,
  names: readonly CodeName[],
): Step<void> {
  const idsOf = (id: "codeId" | "lineId") => [...new Set(names.map((name) => name[id]))]
  const inScope = and(
    inArray(sql`code_id`, idsOf("codeId")),
    inArray(sql`line_id`, idsOf("lineId")),
    from === undefined ? undefined : sql`date >= ${from}`,
    to === undefined ? undefined : sql`date <= ${to}`,
  )
  // Mostly no code was moved: then its days lie side by side, and nothing has to be sorted.
  const lines = names.length > idsOf("codeId").length ? sql`, line_id` : sql``
  const codes = statement<SumRow & { codeId: number; lineId: number; lastDate: string }>(
    sql`SELECT code_id AS "codeId", max(line_id) AS "lineId", max(date) AS "lastDate", ${SUMS} FROM affiliate_metric
      WHERE ${inScope} GROUP BY code_id${lines}`,
  )
  for (const row of yield* all(codes))
    byCode.set(`${row.codeId} ${row.lineId}`, { ...figuresOf(row), lastDate: row.lastDate })
  const days = statement<SumRow & { date: string }>(
    sql`SELECT date, ${SUMS} FROM affiliate_metric WHERE ${inScope} GROUP BY date`,
  )
  for (const row of yield* all(days)) byDay.set(row.date, addFigures(byDay.get(row.date) ?? NO_FIGURES, figuresOf(row)))
}

function figuresOf(row: SumRow): Figures {
  const whole = (millions: number | null, rest: number | null) =>
    millions === null || rest === null ? null : BigInt(millions) * 1_000_000n + BigInt(rest)
  return {
    clicks: whole(row.clicks, row.clicksRest),
    conversions: whole(row.conversions, row.conversionsRest),
    valueMicros: whole(row.valueMicros, row.valueMicrosRest),
  }
}

function figuresIn(names: readonly CodeName[], { byCode, byDay }: Sums) {
  const days = [...byDay].map(([date, figures]): DayFigures => ({ date, ...figures }))
  const codes = names.map(({ lineId, isCurrent, ...name }): CodeFigures => {
    const sums = byCode.get(`${name.codeId} ${lineId}`) ?? { ...NO_FIGURES, lastDate: null }
    return { ...name, isCurrent: isCurrent === 1, ...sums }
  })
  return { codes, days: days.sort((a, b) => (a.date < b.date ? -1 : 1)) }
}
