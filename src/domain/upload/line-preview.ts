import type { LineDay } from "../delivery/day.ts"
import { type DeliveryItem, type DeliveryTotal, effectOf, measuredAt, type Receipt } from "../delivery/delivery.ts"
import { questionAbout } from "../delivery/question.ts"
import { dateInWords } from "../time/in-words.ts"
import type { CheckedLine } from "./check-delivery.ts"
import { inWords } from "./in-words.ts"
import type { FileLine } from "./line-finder.ts"

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
  readonly hasUnknownDays: boolean
}

/** The effect of reporting on a line, and any question about it. */
export function previewLine(checked: CheckedLine, days: readonly LineDay[], receipt: Receipt): LinePreview {
  const { line, items, rows, hasUnknownDays } = checked
  const totals = items.map((item) => ({ quantity: item.quantity, asOf: measuredAt(item, receipt) }))
  let after = line.total
  for (const total of totals) if (effectOf(after, total) !== "older_than_current") after = total
  const lower = firstLower(totals, line, days)
  // The newest total gets the same question as a total that is typed into a form.
  const last = totals.at(-1)
  const question = hasUnknownDays
    ? unknownDays(line, after)
    : (lower ?? (last === undefined ? null : questionAbout(last, line)))
  const effect = after === line.total ? "older" : after?.quantity === line.total?.quantity ? "unchanged" : "changes"
  return { line, rows, items, before: line.total, after, effect, question, isLower: lower !== null, hasUnknownDays }
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
