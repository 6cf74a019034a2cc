import type { CalendarDate, Moment } from "../time/moment.ts"
import { readTypedDay } from "../time/typed-day.ts"
import type { FileToCheck } from "./check.ts"
import { saysSum } from "./rows.ts"
import { inWords } from "./upload.ts"

/** What a row says about one day of a line or code. */
export interface Part {
  readonly row: number
  readonly cells: readonly string[]
  readonly day: CalendarDate
  /** The day, or a time of it. */
  readonly asOf: CalendarDate | Moment
  readonly quantity: number
  /** The name in the row, if a person matched it. Two such names are two parts of a day. */
  readonly name?: string
}

/** A part with the texts that tell it from other parts of its day. */
interface LabeledPart extends Part {
  readonly labels: readonly string[]
  /** The same for all parts with the same labels. */
  readonly key: string
  /** Whether a label says that it's a sum: "Total", "All", or "All devices" in the column Device. */
  readonly saysSum: boolean
}

/** The parts of a line on one day, in the order of the file. Rows without delivery are left out, because they change no sum. */
type Day<Each extends Part = LabeledPart> = readonly Each[]

interface CheckedParts<Key> {
  /** The rows that are sums of others, so they aren't added. */
  readonly sums: ReadonlySet<number>
  /** Why adding up may be wrong, for each line or code with a reason. */
  readonly doubts: ReadonlyMap<Key, string>
}

/**
 * Finds out which rows of a day are parts of it: a text tells them apart, such as a device, or a number that comes back on
 * other days, such as an hour. Otherwise the file may have the day twice, and only a person can know.
 */
export function checkParts<Key>(
  file: Pick<FileToCheck, "headings" | "reading">,
  partsOf: ReadonlyMap<Key, readonly Part[]>,
): CheckedParts<Key> {
  const daysOf = labeledDays(file, partsOf)
  const { sums, doubtful } = findSums([...daysOf.values()].flat())
  const doubts = new Map<Key, string>()
  for (const [key, days] of daysOf) {
    const added = days.map((day) => day.filter(({ row }) => !sums.has(row)))
    const [ofSum] = days.flat().flatMap(({ row }) => doubtful.get(row) ?? [])
    const doubt = ofSum ?? addedTwice(added)
    if (doubt !== null) doubts.set(key, doubt)
  }
  return { sums, doubts }
}

/** The days of each line, with labels from the columns that tell parts apart. */
function labeledDays<Key>(
  { headings, reading }: Pick<FileToCheck, "headings" | "reading">,
  partsOf: ReadonlyMap<Key, readonly Part[]>,
): Map<Key, Day[]> {
  const daysOf = [...partsOf].map(([key, parts]) => {
    const delivered = parts.filter(({ quantity }) => quantity > 0)
    return [key, [...Map.groupBy(delivered, ({ day }) => day).values()]] as const
  })
  const allDays = daysOf.flatMap(([, days]) => days)
  const compared = allDays.filter((day) => day.length > 1).flat()
  const roles = new Set(Object.values(reading.columns))
  const width = compared.reduce((max, { cells }) => Math.max(max, cells.length), 0)
  const others = Array.from({ length: width }, (_, column) => column).filter((column) => !roles.has(column))
  const kinds = Map.groupBy(others, (column) => kindOf(compared.map((part) => labelIn(part, column))))
  const { text = [], number = [] } = Object.fromEntries(kinds)
  const inFile = number.filter((column) => isRepeated(allDays, column))
  return new Map(
    daysOf.map(([key, days]) => {
      const ofLine = number.filter((column) => isRepeated(days, column))
      const columns = [...new Set([...text, ...inFile, ...ofLine])]
      const labeled = (part: Part): LabeledPart => {
        const labels = columns.map((column) => labelIn(part, column).toLowerCase())
        const saysSum = columns.some((column) => saysSumIn(headings[column] ?? "", labelIn(part, column)))
        return { ...part, labels, key: JSON.stringify([part.name, ...labels]), saysSum }
      }
      return [key, days.map((day) => day.map(labeled))]
    }),
  )
}

const labelIn = ({ cells }: Part, column: number): string => (cells[column] ?? "").trim()

const CELLS_COMPARED = 1_000
const UNITS = /(?<=\d ?)(?:[a-z]{1,3}|[A-Z]{3})\b|\b[A-Z]{3}(?= ?\d)|\b[A-Z]{1,2}(?=\p{Sc})/gu

/** What most cells of a column are. Amounts, percentages and durations are numbers. */
function kindOf(cells: readonly string[]): "text" | "number" | "day" {
  const different = [...new Set(cells)].filter((cell) => cell !== "").slice(0, CELLS_COMPARED)
  const days = different.filter((cell) => "asOf" in readTypedDay(cell, "day_first", "UTC"))
  if (days.length * 2 > different.length) return "day"
  const texts = different.filter((cell) => /\p{L}/u.test(cell.replace(UNITS, "")))
  return texts.length * 2 > different.length ? "text" : "number"
}

// A day has most values of a column of hours or IDs. Measured values differ from day to day.
const REPEATED_MIN = 0.75

/** Whether the same numbers come back on each day. */
function isRepeated(days: readonly Day<Part>[], column: number): boolean {
  const numbers = days.map((day) => new Set(day.map((part) => labelIn(part, column))))
  const different = new Set(numbers.flatMap((ofDay) => [...ofDay])).size
  const found = numbers.reduce((count, ofDay) => count + ofDay.size, 0)
  return days.length > 1 && different > 1 && found >= days.length * different * REPEATED_MIN
}

// So many days show that a row is the sum of the others, whatever it says.
const SUM_DAYS_MIN = 3

/** The rows that are sums of the other rows of their day, and what may be wrong about those that only seem to be, by row. */
function findSums(days: readonly Day[]) {
  const several = days.filter((day) => day.length > 1)
  const found = several.map(sumsOf)
  const daysWith = countByLabels(several)
  const daysAsSum = countByLabels(found)
  const sums = new Set<number>()
  const doubtful = new Map<number, string>()
  for (const { row, key, saysSum } of found.flat()) {
    const [count, asSum] = [daysWith.get(key) ?? 0, daysAsSum.get(key) ?? 0]
    const isAlways = saysSum || count === asSum
    if (isAlways) sums.add(row)
    const equals = `Row ${row} equals the sum of the other rows of its day`
    if (isAlways && !saysSum && count < SUM_DAYS_MIN)
      doubtful.set(row, `${equals}, so it isn’t added. If it’s a part of the day, the total is too low.`)
    // On most other days it isn't the sum: then it's a part that happens to equal the others.
    if (!isAlways && asSum * 2 >= count)
      doubtful.set(row, `${equals}, but not on each day, so it’s added. If it’s a sum, the total is too high.`)
  }
  return { sums, doubtful }
}

/** On how many days there are rows with the same labels. */
function countByLabels(days: readonly Day[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const day of days) {
    for (const key of new Set(day.map(({ key }) => key))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** The rows of a day that seem to be sums: they say so, or have an empty cell, or equal all others together. */
function sumsOf(day: Day): Day {
  const total = quantityOf(day)
  const hasLabel = (day[0]?.labels ?? []).map((_, i) => day.some(({ labels }) => labels[i] !== ""))
  const marked = day.filter((part) => part.saysSum || part.labels.some((label, i) => label === "" && hasLabel[i]))
  const rest = total - quantityOf(marked)
  if (marked.length > 0 && [...marked.map(({ quantity }) => quantity), total - rest].some((sum) => isSame(sum, rest)))
    return marked
  return day.length < 3 ? [] : day.filter(({ quantity }) => isSame(quantity * 2, total))
}

const quantityOf = (parts: readonly Part[]): number => parts.reduce((sum, { quantity }) => sum + quantity, 0)

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.000_001

const ALL = /^\W*(?:all|alle|tous|toutes|todos|todas|tutti|tutte)\b\W*(.*)$/iu

const COMBINED = /^(?:combined|any)$|\btotal$/iu

/** Whether a cell of a column says that its row is a sum. "All You Need" is the name of an ad, unless the column has needs. */
function saysSumIn(heading: string, cell: string): boolean {
  if (COMBINED.test(cell.trim())) return true
  const [, what] = ALL.exec(cell) ?? []
  if (what === undefined) return saysSum(cell)
  const wordsIn = (text: string) => text.toLowerCase().split(/\W+/u)
  const words = wordsIn(heading).filter((word) => word !== "")
  return what === "" || wordsIn(what).some((each) => words.some((word) => each.startsWith(word)))
}

const TOO_HIGH = "If the file has this day twice, the total is too high."

/** Why the days of a line may be added up twice. */
const addedTwice = (days: readonly Day[]): string | null =>
  twoRowsAlike(days.flat()) ?? sumOfNothing(days) ?? joinedFiles(days) ?? sumOfAllDays(days)

function twoRowsAlike(parts: Day): string | null {
  const seen = new Map<string, Part>()
  for (const part of parts) {
    const first = seen.getOrInsert(`${part.asOf} ${part.key}`, part)
    if (first === part) continue
    const both = `Rows ${first.row} and ${part.row}`
    return first.cells.join("\n") === part.cells.join("\n")
      ? `${both} are the same. ${TOO_HIGH}`
      : `${both} have the same line and day, and only numbers or days tell them apart. ${TOO_HIGH}`
  }
  return null
}

function sumOfNothing(days: readonly Day[]): string | null {
  for (const day of days) {
    const sum = day.find(({ saysSum }) => saysSum)
    const others = quantityOf(day.filter(({ saysSum }) => !saysSum))
    if (sum !== undefined && others > 0)
      return `Row ${sum.row} looks like a sum of its day, but the other rows have ${inWords(others)}. It’s added to them.`
  }
  return null
}

/** Most days with several rows may have each figure again further down, as in two exports that were put into one file. */
function joinedFiles(days: readonly Day[]): string | null {
  const several = days.filter((day) => day.length > 1)
  const halves = several.map((day) => [day.slice(0, day.length / 2), day.slice(day.length / 2)] as const)
  const figures = (parts: Day) => parts.map(({ quantity }) => quantity).join()
  const twice = halves.filter(([first, second]) => figures(first) === figures(second))
  const firsts = twice.flatMap(([first]) => first)
  const seconds = twice.flatMap(([, second]) => second)
  const [first, second] = [firsts[0], seconds[0]]
  if (twice.length < 2 || twice.length * 2 < several.length || first === undefined || second === undefined) return null
  const lastOfFirsts = firsts.reduce((max, { row }) => Math.max(max, row), 0)
  if (seconds.some(({ row }) => row < lastOfFirsts)) return null
  return `On most days that have several rows, each figure appears twice, as in rows ${first.row} and ${second.row}. ${TOO_HIGH}`
}

/**
 * A row that equals all other rows of the line together is probably their sum. It may have the day of the export, but hardly a
 * time. It's on one day only, so nothing else shows what it is.
 */
function sumOfAllDays(days: readonly Day[]): string | null {
  const parts = days.flat()
  const total = quantityOf(parts)
  const sum = parts.findLast(({ quantity, asOf }) => typeof asOf === "string" && isSame(quantity * 2, total))
  if (sum === undefined || days.length < 2) return null
  return `Row ${sum.row} equals the sum of the line’s other rows, and it’s added to them. If it’s their sum, the total is too high.`
}
