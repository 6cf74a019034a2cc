import type { LineDay } from "../delivery/day.ts"
import { type DeliveryItem, type DeliveryTotal, effectOf, measuredAt, type Receipt } from "../delivery/delivery.ts"
import { questionAbout } from "../delivery/question.ts"
import { type CalendarDate, dateInWords, dayBefore, type Moment } from "../time/moment.ts"
import { endOfDay } from "../time/time-zone.ts"
import type { CheckedLine } from "./check-delivery.ts"
import type { Part } from "./parts.ts"
import type { FileLine } from "./rows.ts"
import { inWords } from "./upload.ts"

/** A total of a line in a file, made of these rows. */
export interface FileTotal {
  readonly asOf: CalendarDate | Moment
  readonly quantity: number
  readonly rows: readonly number[]
}

interface TotalBefore {
  readonly quantity: number
  /** Whether some of what was delivered before the file begins is unknown. */
  readonly isUnknown: boolean
}

/** The total of a line before the first day of a file. A file that begins with the flight needs no earlier total. */
export function totalBefore(
  days: readonly LineDay[],
  firstDay: CalendarDate | null,
  { flightStart }: FileLine,
  { timeZone }: Receipt,
): TotalBefore {
  if (firstDay === null || firstDay <= flightStart) return { quantity: 0, isUnknown: false }
  const end = endOfDay(dayBefore(firstDay), timeZone)
  const last = days.findLast(({ asOf }) => asOf <= end)
  if (last === undefined) return { quantity: 0, isUnknown: true }
  // A lower total that came later shows that this one was too high.
  const isCorrected = days.some(({ asOf, low }) => asOf > end && low < last.quantity)
  return { quantity: last.quantity, isUnknown: last.asOf !== end || isCorrected }
}

// Sums of numbers with decimals would otherwise end in 0000000002.
const ROUNDED_TO = 1_000_000

/** The figures of each day, oldest first. */
const byDay = (parts: readonly Part[]) => [...Map.groupBy(parts, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))

/** Totals from figures of days: what was delivered before, and every day of the file until then. */
export function addUp(parts: readonly Part[], before: number): (FileTotal & { readonly asOf: CalendarDate })[] {
  let quantity = before
  return byDay(parts).map(([day, ofDay]) => {
    for (const part of ofDay) quantity = Math.round((quantity + part.quantity) * ROUNDED_TO) / ROUNDED_TO
    return { asOf: day, quantity, rows: ofDay.map(({ row }) => row) }
  })
}

/** Why days can't be sent again without the days after them. Null if they can. */
export function laterDaysLeftBehind(
  totals: ReturnType<typeof addUp>,
  days: readonly LineDay[],
  { name }: FileLine,
  { timeZone, today }: Receipt,
): string | null {
  const last = totals.findLast(({ asOf }) => asOf <= today)
  const lastKnown = days.at(-1)
  if (last === undefined || lastKnown === undefined || lastKnown.day <= last.asOf) return null
  const end = endOfDay(last.asOf, timeZone)
  const known = days.findLast(({ asOf }) => asOf <= end)
  if (known === undefined || known.asOf !== end || known.quantity === last.quantity) return null
  const [now, until] = [dateInWords(last.asOf), dateInWords(lastKnown.day)]
  return (
    `${name} would have ${inWords(last.quantity)} on ${now} instead of ${inWords(known.quantity)}, but later days would ` +
    `stay as they are. Send all days up to ${until} in one file.`
  )
}

/**
 * Whether daily figures look as if they were totals: for at least half of the lines they never fall. If each line has only one
 * day, they are compared with what was known before it.
 */
export function looksLikeTotals(
  lines: ReadonlyMap<FileLine, readonly Part[]>,
  daysOf: (line: FileLine) => readonly LineDay[],
  { timeZone }: Receipt,
): boolean {
  const figuresOf = [...lines].map(([line, parts]) => {
    const ofDays = byDay(parts)
    const figures = ofDays.map(([, ofDay]) => ofDay.reduce((sum, { quantity }) => sum + quantity, 0))
    return { line, firstDay: ofDays[0]?.[0], figures }
  })
  const hasSeveralDays = figuresOf.some(({ figures }) => figures.length > 1)
  const compared: boolean[] = []
  for (const { line, firstDay, figures } of figuresOf) {
    if (firstDay === undefined || (hasSeveralDays && figures.length === 1)) continue
    const end = endOfDay(dayBefore(firstDay), timeZone)
    const before = hasSeveralDays ? 0 : (daysOf(line).findLast(({ asOf }) => asOf <= end)?.quantity ?? 0)
    const all = [before, ...figures]
    const neverFalls = all.every((figure, i) => figure >= (all[i - 1] ?? 0))
    // Without an earlier figure, there is nothing to compare. Several days that rise only on the last one are both.
    const hasEarlier = all.slice(0, -1).some((figure) => figure > 0)
    if (hasEarlier || hasSeveralDays) compared.push(neverFalls && hasEarlier)
  }
  return compared.length > 0 && compared.filter(Boolean).length * 2 >= compared.length
}

/** The effect of a file on a line. */
export interface LinePreview {
  readonly line: FileLine
  readonly rows: number
  readonly items: readonly DeliveryItem[]
  readonly before: DeliveryTotal | null
  /** The current total afterwards. */
  readonly after: DeliveryTotal | null
  readonly effect: "changes" | "unchanged" | "older"
  /** What must be confirmed first. Null if nothing is odd. */
  readonly question: string | null
  /** Whether a total goes down, which programs may allow. */
  readonly isLower: boolean
  /** Whether the total may be wrong, so that only a person can report it. */
  readonly isDoubtful: boolean
}

/** The effect of reporting on a line, and any question about it. */
export function previewLine(checked: CheckedLine, days: readonly LineDay[], receipt: Receipt): LinePreview {
  const { line, items, rows, hasUnknownDays, doubt } = checked
  const totals = items.map((item) => ({ quantity: item.quantity, asOf: measuredAt(item, receipt) }))
  let after = line.total
  for (const total of totals) if (effectOf(after, total) !== "older_than_current") after = total
  const lower = firstLower(totals, line, days)
  // The newest total gets the same question as a total that is typed into a form.
  const last = totals.at(-1)
  const odd = lower ?? (last === undefined ? null : questionAbout(last, line))
  const questions = [hasUnknownDays ? unknownDays(line, after) : odd, doubt].filter((each) => each !== null)
  const question = questions.length === 0 ? null : questions.join(" ")
  const effect = after === line.total ? "older" : after?.quantity === line.total?.quantity ? "unchanged" : "changes"
  const isDoubtful = hasUnknownDays || doubt !== null
  return { line, rows, items, before: line.total, after, effect, question, isLower: lower !== null, isDoubtful }
}

/** Whether a total is below one that was measured before it, or above a later one, in the history or in the file. */
function firstLower(totals: readonly DeliveryTotal[], line: FileLine, days: readonly LineDay[]): string | null {
  const known: readonly DeliveryTotal[] = line.total === null ? days : [...days, line.total]
  const inFile = new Set(totals.map(({ asOf }) => asOf))
  let previous: DeliveryTotal | undefined
  for (const total of totals) {
    // A total in the file replaces a known total of the same moment, so it's only compared with that total.
    const counts = ({ asOf }: DeliveryTotal) => asOf === total.asOf || !inFile.has(asOf)
    const earlier = known.findLast((one) => one.asOf <= total.asOf && counts(one))
    const higher = [earlier, previous].find((one) => one !== undefined && total.quantity < one.quantity)
    if (higher !== undefined) return goesDown(higher, total)
    const later = known.find((one) => one.asOf > total.asOf && counts(one))
    if (later !== undefined && later.quantity < total.quantity) return goesDown(total, later)
    previous = total
  }
  return null
}

const goesDown = (from: DeliveryTotal, to: DeliveryTotal): string =>
  `The total would go down from ${inWords(from.quantity)} to ${inWords(to.quantity)}.`

const unknownDays = ({ flightStart, name }: FileLine, after: DeliveryTotal | null): string =>
  `The flight of ${name} started on ${dateInWords(flightStart)}, and what was delivered before the file begins isn’t known. ` +
  `If nothing more was, the total is ${inWords(after?.quantity ?? 0)}.`
