import type { LineDay } from "../delivery/day.ts"
import { type DeliveryItem, type DeliveryTotal, effectOf, measuredAt, type Receipt } from "../delivery/delivery.ts"
import { questionAbout } from "../delivery/question.ts"
import { dateInWords } from "../time/moment.ts"
import type { FileEntry } from "./result.ts"
import type { FileLine } from "./rows.ts"
import { inWords } from "./upload.ts"

/** The totals that a file reports for a line. */
interface LineTotals {
  /** In the order in which they were measured. */
  readonly items: readonly DeliveryItem[]
  readonly rows: number
  /** Whether days before the file are unknown, so that the totals may be too low. */
  readonly hasUnknownDays: boolean
  /** Why the totals may be wrong. */
  readonly doubt: string | null
}

/** The effect of reporting on a line, and any question about it. */
export function lineEntry(
  line: FileLine,
  { items, rows, hasUnknownDays, doubt }: LineTotals,
  days: readonly LineDay[],
  receipt: Receipt,
): FileEntry {
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
  const { packageId, name, externalId, total: before } = line
  const flags = { question, isLower: lower !== null, isDoubtful: hasUnknownDays || doubt !== null }
  const about = { key: packageId, name, packageId, externalId, rows, before, after, effect, text: "" } as const
  return { ...about, ...flags, items, codes: [], days: [] }
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

/** Whether a text is a number with decimals that matter: 112.5, but not 12.00 or 1,234. */
export const isFraction = (text: string): boolean => /\d[.,]\d?[1-9]$/.test(text)

const THOUSANDS = /\b(?:tsd|thousands?|tausend)\b|\(['’]?000s?\)|\(k\)|[x×] ?1[.,]?000/i

/** Why a column may count thousands: its heading says so, or it has parts of impressions. Other rows may happen to be whole. */
export function countsThousands(heading: string, fractionRow: number | null): string | null {
  const sentences: string[] = []
  if (THOUSANDS.test(heading)) sentences.push(`The column is called “${heading}”.`)
  if (fractionRow !== null) sentences.push(`Row ${fractionRow} has a part of an impression.`)
  const [why] = sentences
  return why === undefined ? null : `${why} If the column counts thousands, the total is too low.`
}
