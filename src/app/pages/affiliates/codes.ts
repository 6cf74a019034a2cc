import { type Figures, sumFigures } from "../../../domain/affiliate.ts"
import { type CalendarDate, dayBefore, isDate } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import {
  type CodeDay,
  type CodeFigures,
  codeDays,
  codeFigures,
  type Period,
} from "../../../storage/campaigns/affiliates.ts"
import { linesBoughtBy, linesSoldBy, type StoredLine } from "../../../storage/campaigns/lines.ts"
import type { MemberVisit } from "../../visit.ts"

/** A code with the line that its figures belong to. */
export interface CodeRow extends CodeFigures {
  readonly line: StoredLine
}

type LinesById = ReadonlyMap<number, StoredLine>

/** Every line whose codes the organization may see: those that it sells or buys, archived ones included. */
async function visibleLines({ context, organization }: MemberVisit): Promise<LinesById> {
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

/** The days in the address, or the last 30. Today is the seller's: for a buyer, the one that began first. */
function periodIn({ url, now, timeZone }: MemberVisit, lines: LinesById): Period {
  const today = [...lines.values()].reduce(
    (latest, line) => laterOf(latest, dayOf(now, line.timeZone)),
    dayOf(now, timeZone),
  )
  return { from: dateIn(url, "first") ?? dayBefore(today, DAYS_SHOWN - 1), to: dateIn(url, "last") ?? today }
}

const laterOf = (a: CalendarDate, b: CalendarDate) => (a > b ? a : b)

function dateIn({ searchParams }: URL, name: string): CalendarDate | null {
  const text = searchParams.get(name) ?? ""
  return isDate(text) ? text : null
}

/** What the address asks for: the codes of its campaign, or all, with their figures in its period. */
export interface FoundCodes {
  readonly period: Period
  readonly rows: readonly CodeRow[]
  /** The campaigns to choose from. */
  readonly campaigns: readonly StoredLine["campaign"][]
}

export async function findCodes(visit: MemberVisit): Promise<FoundCodes> {
  const lines = await visibleLines(visit)
  const period = periodIn(visit, lines)
  const rows = await rowsOf(visit, lines, period)
  const campaigns = new Map(rows.map(({ line }) => [line.campaign.slug, line.campaign]))
  const asked = visit.url.searchParams.get("campaign") ?? ""
  return {
    period,
    rows: asked === "" ? rows : rows.filter(({ line }) => line.campaign.slug === asked),
    campaigns: [...campaigns.values()],
  }
}

async function rowsOf({ context }: MemberVisit, lines: LinesById, period: Period): Promise<CodeRow[]> {
  const codes = await codeFigures(context.database.read, [...lines.keys()], period)
  return codes.flatMap((code) => {
    const line = lines.get(code.lineId)
    return line === undefined ? [] : [{ ...code, line }]
  })
}

/** The figures of a code on one day, in the currency of the line that they belong to. */
export interface DayRow extends CodeDay {
  readonly currency: string | null
}

/** The days of these rows, oldest first. A code's days on a line that isn't among the rows are left out. */
export async function daysOf(
  { context }: MemberVisit,
  rows: readonly CodeRow[],
  period?: Period,
): Promise<readonly DayRow[]> {
  const currencies = new Map(rows.map(({ codeId, line }) => [`${codeId} ${line.id}`, line.currency]))
  const days = await codeDays(context.database.read, [...new Set(rows.map(({ codeId }) => codeId))], period)
  return days.flatMap((day) => {
    const currency = currencies.get(`${day.codeId} ${day.lineId}`)
    return currency === undefined ? [] : [{ ...day, currency }]
  })
}

/** One code: an entry for each line that it has figures of, and its days. */
export interface FoundCode {
  readonly id: number
  readonly code: string
  readonly period: Period
  readonly rows: readonly CodeRow[]
  readonly days: readonly DayRow[]
  readonly sums: Figures
  /** Whether the organization sells the line that the code points to. */
  readonly isOwn: boolean
  /** Whether anything was ever reported, in this period or before. */
  readonly hasFigures: boolean
}

/** The code with this ID, with its figures in the period of the address. Null if the organization may not see it. */
export async function findCode(visit: MemberVisit, id: number): Promise<FoundCode | null> {
  const lines = await visibleLines(visit)
  const period = periodIn(visit, lines)
  const rows = (await rowsOf(visit, lines, period)).filter(({ codeId }) => codeId === id)
  const [first] = rows
  if (first === undefined) return null
  return {
    id,
    code: first.code,
    period,
    rows,
    days: await daysOf(visit, rows, period),
    sums: sumFigures(rows),
    isOwn: rows.some(({ isCurrent, line }) => isCurrent && line.sellerId === visit.organization.id),
    hasFigures: (await daysOf(visit, rows)).length > 0,
  }
}

/** The sums of the rows with the same key: a day, or a currency. */
export const sumsBy = <Row extends Figures, Key>(rows: readonly Row[], keyOf: (row: Row) => Key) =>
  [...Map.groupBy(rows, keyOf)].map(([key, ofKey]) => [key, sumFigures(ofKey)] as const)
