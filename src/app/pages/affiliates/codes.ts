import { addFigures, type Figures, NO_FIGURES } from "../../../domain/affiliate/metric.ts"
import { type CalendarDate, isDate, MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import {
  type CodeFigures,
  codeFigures,
  type DayFigures,
  dayFigures,
  type Period,
} from "../../../storage/campaigns/affiliates.ts"
import { linesBoughtBy, linesSoldBy, type StoredLine } from "../../../storage/campaigns/lines.ts"
import type { MemberVisit } from "../../visit.ts"

/** A code with the line that its figures belong to. */
export interface CodeRow extends CodeFigures {
  readonly line: StoredLine
}

/** Every line whose codes the organization may see: those that it sells or buys, archived ones included. */
async function visibleLines({ context, organization }: MemberVisit): Promise<ReadonlyMap<number, StoredLine>> {
  const { read } = context.database
  const all = { withArchived: true }
  const [sold, bought] = await Promise.all([
    linesSoldBy(read, organization.id, all),
    linesBoughtBy(read, organization.id, all),
  ])
  return new Map([...sold, ...bought].map((line) => [line.id, line]))
}

// Older days are shown if the address asks for them.
const DAYS_SHOWN = 30

/** The days in the address, or the last 30. */
function periodIn({ url, now, timeZone }: MemberVisit): Period {
  const first = dayOf(now - DAYS_SHOWN * MICROS_PER_DAY, timeZone)
  return { from: dateIn(url, "from") ?? first, to: dateIn(url, "to") ?? dayOf(now, timeZone) }
}

function dateIn({ searchParams }: URL, name: string): CalendarDate | null {
  const text = searchParams.get(name) ?? ""
  return isDate(text) ? text : null
}

/** What the address asks for: the codes of its campaign, or all, with their figures in its period. */
export interface FoundCodes {
  readonly period: Period
  readonly rows: readonly CodeRow[]
  readonly days: readonly DayFigures[]
  /** The campaigns to choose from. */
  readonly campaigns: readonly StoredLine["campaign"][]
}

export async function findCodes(visit: MemberVisit): Promise<FoundCodes> {
  const { read } = visit.context.database
  const lines = await visibleLines(visit)
  const all = await codeFigures(read, [...lines.keys()], periodIn(visit))
  const rows = withLines(all, lines)
  const campaigns = new Map(rows.map(({ line }) => [line.campaign.slug, line.campaign]))
  const asked = visit.url.searchParams.get("campaign") ?? ""
  const chosen = asked === "" ? rows : rows.filter(({ line }) => line.campaign.slug === asked)
  const lineIds = [...new Set(chosen.map(({ line }) => line.id))]
  return {
    period: periodIn(visit),
    rows: chosen,
    days: await dayFigures(read, lineIds, periodIn(visit)),
    campaigns: [...campaigns.values()],
  }
}

/** One code: an entry for each line that it has figures of, and its days. */
export interface FoundCode {
  readonly id: number
  readonly code: string
  readonly period: Period
  readonly rows: readonly CodeRow[]
  readonly days: readonly DayFigures[]
  readonly sums: Figures
  /** Whether the organization sells the line that the code points to. */
  readonly isOwn: boolean
  /** Whether anything was ever reported, in this period or before. */
  readonly hasFigures: boolean
}

/** The code with this ID, with its figures in the period of the address. Null if the organization may not see it. */
export async function findCode(visit: MemberVisit, id: number): Promise<FoundCode | null> {
  const { read } = visit.context.database
  const lines = await visibleLines(visit)
  const ids = [...lines.keys()]
  const period = periodIn(visit)
  const rows = withLines(await codeFigures(read, ids, period), lines).filter(({ codeId }) => codeId === id)
  const [first] = rows
  if (first === undefined) return null
  return {
    id,
    code: first.code,
    period,
    rows,
    days: await dayFigures(read, ids, period, id),
    sums: rows.reduce<Figures>(addFigures, NO_FIGURES),
    isOwn: rows.some(({ isCurrent, line }) => isCurrent && line.sellerId === visit.organization.id),
    hasFigures: (await dayFigures(read, ids, undefined, id)).length > 0,
  }
}

const withLines = (codes: readonly CodeFigures[], lines: ReadonlyMap<number, StoredLine>): CodeRow[] =>
  codes.flatMap((code) => {
    const line = lines.get(code.lineId)
    return line === undefined ? [] : [{ ...code, line }]
  })

/** The figures of each day, whatever line they belong to. */
export function byDay(days: readonly DayFigures[]): (Figures & { readonly date: CalendarDate })[] {
  const grouped = Map.groupBy(days, ({ date }) => date)
  return [...grouped].map(([date, figures]) => ({ date, ...figures.reduce<Figures>(addFigures, NO_FIGURES) }))
}

/** The one currency of these lines. Null if they have several, or none: then values don't add up. */
export function currencyOf(rows: readonly CodeRow[]): string | null {
  const valued = rows.filter(({ valueMicros }) => valueMicros !== null)
  const currencies = new Set(valued.map(({ line }) => line.currency))
  const [only = null] = currencies
  return currencies.size === 1 ? only : null
}
