import type { LineDay } from "../delivery/day.ts"
import { type DeliveryItem, type DeliveryTotal, effectOf, measuredAt, type Receipt } from "../delivery/delivery.ts"
import { questionAbout } from "../delivery/question.ts"
import { type CalendarDate, dateInWords, type Moment } from "../time/moment.ts"
import { dayOf } from "../time/time-zone.ts"
import type { FileEntry, FileToCheck } from "./check.ts"
import type { FileTotal } from "./daily.ts"
import type { FileLine } from "./rows.ts"
import { inWords, type RejectedRow } from "./upload.ts"

/** What a file has about one line. */
export interface LineTotals {
  readonly accepted: readonly FileTotal[]
  readonly rejected: readonly RejectedRow[]
  /** Why none of the totals can be reported. */
  readonly conflict: string | null
  /** Whether days before the file are unknown, so that the totals may be too low. */
  readonly hasUnknownDays: boolean
  /** Why the totals may be wrong. */
  readonly doubt: string | null
}

/** The effect of reporting on a line, and any question about it. */
export function lineEntry(
  { daysOf, receipt, begin }: FileToCheck,
  line: FileLine,
  { accepted, hasUnknownDays, doubt }: LineTotals,
): FileEntry {
  const { packageId, name, externalId, total: before } = line
  const inOrder = itemsInOrder(line, accepted, receipt)
  const items = inOrder.map(([, item]) => item)
  const rows = accepted.reduce((sum, { parts }) => sum + parts.length, 0)
  const totals = inOrder.map(([asOf, { quantity }]) => ({ quantity, asOf }))
  let after = before
  for (const total of totals) if (effectOf(after, total) !== "older_than_current") after = total
  const effect = after === before ? "older" : after?.quantity === before?.quantity ? "unchanged" : "changes"

  const lower = firstLower(totals, [...daysOf(line), ...(before === null ? [] : [before])], receipt)
  // The newest total gets the same question as a total that is typed into a form.
  const last = totals.at(-1)
  const odd = lower ?? (last === undefined ? null : questionAbout(last, line))
  const lastBefore = daysOf(line).findLast(({ day }) => day < (begin.day ?? ""))
  const unknown = hasUnknownDays && begin.day !== null ? unknownDays(line, begin.day, after, lastBefore) : null
  const reasons = [unknown, lower ?? (unknown === null ? odd : null), doubt].filter((reason) => reason !== null)
  const question = reasons.length === 0 ? null : reasons.join(" ")
  const oddity = odd === null ? null : lower === null ? "odd" : "lower"
  const concern = hasUnknownDays || doubt !== null ? "doubt" : oddity
  const about = { key: packageId, name, packageId, externalId, rows, before, after, effect, text: "" } as const
  return { ...about, question, concern, items, codes: [], days: [] }
}

export function itemOf({ packageId, pricingBasis }: FileLine, { quantity, asOf }: FileTotal): DeliveryItem {
  return { packageId, unit: pricingBasis === "flat_rate" ? undefined : pricingBasis, quantity, asOf }
}

/** The items of a line in the order in which they were measured. A total that occurs in several rows is reported once. */
function itemsInOrder(line: FileLine, totals: readonly FileTotal[], receipt: Receipt): [Moment, DeliveryItem][] {
  const items = totals.map((total) => itemOf(line, total))
  return [...new Map(items.map((item) => [measuredAt(item, receipt), item]))].sort(([a], [b]) => a - b)
}

const CORRECTED = 0.95
const LOWER_MIN = 2

/**
 * If two lines or half of them would go down, the rows are probably not totals so far but figures of days or of another period.
 * Then the lines that happen to go up are asked about as well.
 */
export function askAboutLowerFile(entries: readonly FileEntry[]): readonly FileEntry[] {
  const isCompared = ({ before, effect }: FileEntry) => before !== null && effect !== "unchanged"
  const compared = entries.filter(isCompared)
  // A correction takes away a few percent.
  const lower = compared.filter(({ before, after }) => (after?.quantity ?? 0) < (before?.quantity ?? 0) * CORRECTED)
  const isUsual = lower.length < LOWER_MIN && lower.length * 2 < compared.length
  if (compared.length < 2 || lower.length === 0 || isUsual) return entries
  const about = `${lower.length} of ${compared.length} lines in this file would go down, so its rows may not be totals so far.`
  return entries.map((entry) => {
    if (!isCompared(entry)) return entry
    return {
      ...entry,
      question: [entry.question ?? [], about].flat().join(" "),
      concern: entry.concern === "doubt" ? "doubt" : "lower",
    }
  })
}

/** Whether a total is below one that was measured before it, or above a later one, in the history or in the file. */
function firstLower(
  totals: readonly DeliveryTotal[],
  known: readonly DeliveryTotal[],
  { timeZone }: Receipt,
): string | null {
  const goesDown = (from: DeliveryTotal, to: DeliveryTotal) => {
    const isNewest = to === totals.at(-1)
    const total = isNewest ? "The total" : `The total up to ${dateInWords(dayOf(to.asOf, timeZone))}`
    return `${total} would go down from ${inWords(from.quantity)} to ${inWords(to.quantity)}.`
  }
  const inFile = new Set(totals)
  const replacedAt = new Map(known.map((total) => [total.asOf, total]))
  const after = [...new Map([...known, ...totals].map((total) => [total.asOf, total])).values()]
  let previous: DeliveryTotal | undefined
  for (const total of after.sort((a, b) => a.asOf - b.asOf)) {
    const replaced = inFile.has(total) ? replacedAt.get(total.asOf) : undefined
    if (replaced !== undefined && total.quantity < replaced.quantity) return goesDown(replaced, total)
    // If none of the two is in the file, the history already goes down there.
    const isNew = inFile.has(total) || (previous !== undefined && inFile.has(previous))
    if (isNew && previous !== undefined && total.quantity < previous.quantity) return goesDown(previous, total)
    previous = total
  }
  return null
}

function unknownDays(
  { flightStart, name }: FileLine,
  begin: CalendarDate,
  after: DeliveryTotal | null,
  lastBefore?: LineDay,
): string {
  const since =
    lastBefore === undefined
      ? `The flight of ${name} started on ${dateInWords(flightStart)}`
      : `The last total of ${name} before this file is of ${dateInWords(lastBefore.day)}`
  const total = inWords(after?.quantity ?? 0)
  return `${since}, this file begins on ${dateInWords(begin)}, and what was delivered before the file begins isn’t known. If nothing more was, the total is ${total}.`
}
