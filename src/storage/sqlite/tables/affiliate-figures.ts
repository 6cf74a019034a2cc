import { addFigures, FigureSums, type Figures, NO_FIGURES } from "../../../domain/affiliate/affiliate-figures.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import type { AffiliateFigures, AffiliateScope, CodeFigures, Company, ScopeFigures } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"

// CROSS JOIN fixes the order: codes first, then the days of each, so that days of other codes are never read. A code that was moved
// has one row for each of its lines.
const CODES = `affiliate_code a
  CROSS JOIN affiliate_placement p ON p.code_id = a.id
  CROSS JOIN package_line l ON l.id = p.line_id
  CROSS JOIN campaign c ON c.id = l.campaign_id
  CROSS JOIN organization o ON o.id = a.organization_id`

const SOME_CODES = "a.id >= $firstCode AND a.id < $firstCode + $codesAtOnce"

// The slug belongs to the line that the code points to now; other lines must not show it, because it may name what is sold there.
const NAMES = `a.id AS codeId, l.id AS lineId, a.code, CASE WHEN a.line_id = p.line_id THEN a.slug END AS slug,
  a.line_id = p.line_id AS isCurrent,
  l.package_id AS packageId, l.name AS line, l.currency, c.slug AS campaign, c.name AS campaignName, o.slug AS seller`

const HAS_FIGURES = `EXISTS
  (SELECT 1 FROM affiliate_metric any WHERE any.code_id = p.code_id AND any.line_id = p.line_id)`

type CodeName = Omit<CodeFigures, keyof Figures | "lastDate" | "isCurrent"> &
  Readonly<{ lineId: number; isCurrent: number }>

type Metric = [
  codeId: number,
  lineId: number,
  date: string,
  clicks: number | null,
  conversions: number | null,
  valueMicros: number | null,
]

/** The figures of some codes. */
interface SummedCodes {
  readonly codes: readonly { readonly lineId: number; readonly code: CodeFigures }[]
  readonly days: ReadonlyMap<string, Figures>
}

// Others are served after so many codes with all their days.
const CODES_AT_ONCE = 100

export function affiliateFigures({ database, reading }: Connection): AffiliateFigures {
  const lastCode = database.query<{ id: number }, []>("SELECT id FROM affiliate_code ORDER BY id DESC LIMIT 1")

  /** One statement for the days of all these codes: adding them up here, by code and by day at once, takes half the time. */
  function summed(scope: AffiliateScope, firstCode: number, codesAtOnce: number): SummedCodes {
    const names = database.query<CodeName, [Values]>(
      `SELECT ${NAMES} FROM ${CODES} WHERE ${SOME_CODES} AND ${codesOf(scope)} AND (a.line_id = p.line_id OR ${HAS_FIGURES})`,
    )
    const metrics = database.query<unknown, [Values]>(
      `SELECT m.code_id, m.line_id, m.date, m.clicks, m.conversions, m.value_micros
        FROM ${CODES} CROSS JOIN affiliate_metric m ON ${daysOf(scope)} WHERE ${SOME_CODES} AND ${codesOf(scope)}`,
    )
    const some = { ...codeValues(scope), firstCode, codesAtOnce }
    return sumUp(names.all(some), metrics.values({ ...some, ...dayValues(scope) }) as Metric[])
  }

  async function figures({ codeId, ...scope }: AffiliateScope): Promise<ScopeFigures> {
    reading.join()
    if (codeId !== undefined) return together([summed(scope, codeId, 1)])
    const parts: SummedCodes[] = []
    const last = lastCode.get()?.id ?? 0
    for (let first = 1; first <= last; first += CODES_AT_ONCE) {
      parts.push(summed(scope, first, CODES_AT_ONCE))
      await nextTurn()
      reading.join()
    }
    return together(parts)
  }

  return {
    figures,
    async campaigns({ organizationIds }) {
      reading.join()
      const scope = { organizationIds }
      return database
        .query<Company, [Values]>(
          `SELECT DISTINCT c.slug, c.name FROM ${CODES} WHERE ${codesOf(scope)} ORDER BY c.slug`,
        )
        .all(codeValues(scope))
    },
  }
}

function sumUp(names: readonly CodeName[], metrics: readonly Metric[]): SummedCodes {
  const byCode = new Map<string, { sums: FigureSums; lastDate: string }>()
  const byDay = new Map<string, FigureSums>()
  let [code, codeOf, lineOf] = [{ sums: new FigureSums(), lastDate: "" }, 0, 0]
  for (const [codeId, lineId, date, clicks, conversions, valueMicros] of metrics) {
    // The days of a code come one after the other.
    if (codeId !== codeOf || lineId !== lineOf) {
      code = { sums: new FigureSums(), lastDate: date }
      byCode.set(`${codeId} ${lineId}`, code)
      codeOf = codeId
      lineOf = lineId
    }
    const day = byDay.get(date) ?? new FigureSums()
    code.sums.add(clicks, conversions, valueMicros)
    day.add(clicks, conversions, valueMicros)
    if (date > code.lastDate) code.lastDate = date
    byDay.set(date, day)
  }
  const codes = names.map(({ lineId, isCurrent, ...name }) => {
    const found = byCode.get(`${name.codeId} ${lineId}`)
    const figures = found?.sums.figures() ?? NO_FIGURES
    return { lineId, code: { ...name, isCurrent: isCurrent === 1, lastDate: found?.lastDate ?? null, ...figures } }
  })
  return { codes, days: new Map([...byDay].map(([date, sums]) => [date, sums.figures()])) }
}

function together(parts: readonly SummedCodes[]): ScopeFigures {
  const days = new Map<string, Figures>()
  for (const part of parts)
    for (const [date, figures] of part.days) days.set(date, addFigures(days.get(date) ?? NO_FIGURES, figures))
  const codes = parts.flatMap(({ codes }) => codes).sort(inOrder)
  return {
    codes: codes.map(({ code }) => code),
    days: [...days.keys()].sort().map((date) => ({ date, ...(days.get(date) ?? NO_FIGURES) })),
  }
}

/** By campaign, line and code. */
function inOrder(one: SummedCodes["codes"][number], other: SummedCodes["codes"][number]): number {
  return (
    compare(one.code.campaign, other.code.campaign) ||
    compare(one.code.line, other.code.line) ||
    one.lineId - other.lineId ||
    compare(one.code.code, other.code.code)
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

// Exactly the parameters that the SQL uses: SQLite rejects any other.

function codeValues({ organizationIds, campaign, packageId }: AffiliateScope): Values {
  return {
    ...(organizationIds !== null && { organizations: JSON.stringify(organizationIds) }),
    ...(campaign !== undefined && { campaign }),
    ...(packageId !== undefined && { packageId }),
  }
}

function dayValues({ from, to }: AffiliateScope): Values {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
