import type { CalendarDate, Moment } from "../time/moment.ts"
import { readTypedDay } from "../time/typed-day.ts"
import { saysSum } from "./rows.ts"
import { inWords, type Reading } from "./upload.ts"

/** What a row says about one day of a line or code. */
export interface Part {
  readonly row: number
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
  /** Whether a label says that it's a sum: "Total", "All", or "All devices" in the column Device. */
  readonly saysSum: boolean
}

/** The parts of a line on one day, in the order of the file. Rows without delivery are left out, because they change no sum. */
type Day = readonly LabeledPart[]

type CellsByRow = ReadonlyMap<number, readonly string[]>

interface PartsFile<Key> {
  readonly headings: readonly string[]
  readonly reading: Reading
  readonly cellsOf: CellsByRow
  /** The parts of each line or code. */
  readonly partsOf: ReadonlyMap<Key, readonly Part[]>
}

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
export function checkParts<Key>(file: PartsFile<Key>): CheckedParts<Key> {
  const { cellsOf } = file
  const daysOf = labeledDays(file)
  const { sums, unsure } = findSums([...daysOf.values()].flat())
  const doubts = new Map<Key, string>()
  const addedOf = [...daysOf].map(([key, days]) => {
    return { key, days, added: days.map((day) => day.filter(({ row }) => !sums.has(row))) }
  })
  // One line may have two equal days by chance, but hardly several lines.
  const isOften = addedOf.filter(({ added }) => sumOfAllDays(added, 2) !== undefined).length > 1
  for (const { key, days, added } of addedOf) {
    const sumOfLine = sumOfAllDays(added, isOften ? 2 : 3)
    const doubt =
      sumByChance(days.flat(), unsure) ??
      twoRowsAlike(added.flat(), cellsOf) ??
      sumOfNothing(added) ??
      joinedFiles(added) ??
      (sumOfLine === undefined ? null : addedToOthers(sumOfLine))
    if (doubt !== null) doubts.set(key, doubt)
  }
  return { sums, doubts }
}

/** The days of each line, with labels. */
function labeledDays<Key>({ headings, reading, cellsOf, partsOf }: PartsFile<Key>): Map<Key, Day[]> {
  const daysOf = [...partsOf].map(([key, parts]) => {
    const delivered = parts.filter(({ quantity }) => quantity > 0)
    return [key, [...Map.groupBy(delivered, ({ day }) => day).values()]] as const
  })
  const allDays = daysOf.flatMap(([, days]) => days)
  const severalParts = allDays.filter((day) => day.length > 1).flat()
  const cell = ({ row }: Part, column: number) => (cellsOf.get(row)?.[column] ?? "").trim()
  const roles = new Set(Object.values(reading.columns))
  const width = severalParts.reduce((max, { row }) => Math.max(max, cellsOf.get(row)?.length ?? 0), 0)
  const texts: number[] = []
  const numbers: number[] = []
  for (let column = 0; column < width; column++) {
    if (roles.has(column)) continue
    const kind = kindOf(severalParts.map((part) => cell(part, column)))
    if (kind === "text") texts.push(column)
    if (kind === "number") numbers.push(column)
  }
  const repeated = (days: readonly (readonly Part[])[]) =>
    numbers.filter((column) => isRepeated(days.map((day) => new Set(day.map((part) => cell(part, column))))))
  const inFile = repeated(allDays)
  return new Map(
    daysOf.map(([key, days]) => {
      const columns = [...new Set([...texts, ...inFile, ...repeated(days)])]
      const labeled = (part: Part): LabeledPart => ({
        ...part,
        labels: columns.map((column) => cell(part, column).toLowerCase()),
        saysSum: columns.some((column) => saysSumIn(headings[column] ?? "", cell(part, column))),
      })
      return [key, days.map((day) => day.map(labeled))]
    }),
  )
}

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
function isRepeated(days: readonly ReadonlySet<string>[]): boolean {
  const different = new Set(days.flatMap((cells) => [...cells])).size
  const found = days.reduce((count, cells) => count + cells.size, 0)
  return days.length > 1 && different > 1 && found >= days.length * different * REPEATED_MIN
}

// So many days show that a row is the sum of the others, whatever it says.
const SUM_DAYS_MIN = 3

/** The rows that are sums of the other rows of their day, and the ones that may equal the sum only by chance. */
function findSums(days: readonly Day[]) {
  const sums = new Set<number>()
  const unsure = new Set<number>()
  const several = days.filter((day) => day.length > 1)
  // How often rows with the same labels are there, and how often they are a sum.
  const counts = new Map<string, { days: number; sums: number }>()
  const countOf = (key: string) => counts.getOrInsertComputed(key, () => ({ days: 0, sums: 0 }))
  const found = several.map((day) => {
    const ofDay = sumsOf(day)
    for (const key of new Set(day.map(keyOf))) countOf(key).days++
    for (const key of new Set(ofDay.map(keyOf))) countOf(key).sums++
    return ofDay
  })
  for (const part of found.flat()) {
    const count = countOf(keyOf(part))
    // On another day it isn't the sum, so it's a part that happens to equal the others.
    if (!part.saysSum && count.sums < count.days) continue
    sums.add(part.row)
    if (!part.saysSum && count.days < SUM_DAYS_MIN) unsure.add(part.row)
  }
  return { sums, unsure }
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

const quantityOf = (day: Day): number => day.reduce((sum, { quantity }) => sum + quantity, 0)

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.000_001

const keyOf = ({ name, labels }: LabeledPart): string => JSON.stringify([name, ...labels])

const ALL = /^\W*(?:all|alle|tous|toutes|todos|todas|tutti|tutte)\b\W*(.*)$/iu

/** Whether a cell of a column says that its row is a sum. "All You Need" is the name of an ad, unless the column has needs. */
function saysSumIn(heading: string, cell: string): boolean {
  const [, what] = ALL.exec(cell) ?? []
  if (what === undefined) return saysSum(cell)
  const words = what.toLowerCase().split(/\W+/u)
  return (
    what === "" ||
    heading
      .toLowerCase()
      .split(/\W+/u)
      .some((word) => word !== "" && words.some((each) => each.startsWith(word)))
  )
}

const TOO_HIGH = "If the file has this day twice, the total is too high."

function sumByChance(parts: Day, unsure: ReadonlySet<number>): string | null {
  const sum = parts.find(({ row }) => unsure.has(row))
  if (sum === undefined) return null
  return `Row ${sum.row} equals the sum of the other rows of its day, so it isn’t added. If it’s a part of the day, the total is too low.`
}

function twoRowsAlike(parts: Day, cellsOf: CellsByRow): string | null {
  const seen = new Map<string, number>()
  for (const part of parts) {
    const first = seen.getOrInsert(`${part.asOf} ${keyOf(part)}`, part.row)
    if (first === part.row) continue
    const both = `Rows ${first} and ${part.row}`
    return JSON.stringify(cellsOf.get(first)) === JSON.stringify(cellsOf.get(part.row))
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

/** Whether most days with several rows have each figure again further down, as in two exports that were put into one file. */
function joinedFiles(days: readonly Day[]): string | null {
  const several = days.filter((day) => day.length > 1)
  const twice = several.filter((day) => {
    const figures = day.map(({ quantity }) => quantity)
    return figures.slice(0, figures.length / 2).join() === figures.slice(figures.length / 2).join()
  })
  const firsts = twice.flatMap((day) => day.slice(0, day.length / 2))
  const seconds = twice.flatMap((day) => day.slice(day.length / 2))
  const [first, second] = [firsts[0], seconds[0]]
  const lastOfFirsts = firsts.reduce((max, { row }) => Math.max(max, row), 0)
  const isOften = twice.length > 1 && twice.length * 2 >= several.length
  if (!isOften || first === undefined || second === undefined || seconds.some(({ row }) => row < lastOfFirsts))
    return null
  return `On most days that have several rows, each figure appears twice, as in rows ${first.row} and ${second.row}. ${TOO_HIGH}`
}

/**
 * The row of a line that equals its other rows together. A sum of all days may have the day of the export, but hardly a time.
 * It's on one day only, so nothing else shows what it is.
 */
function sumOfAllDays(days: readonly Day[], rowsMin: number): Part | undefined {
  const parts = days.flat()
  if (parts.length < rowsMin || days.length < 2) return undefined
  const total = quantityOf(parts)
  return parts.findLast(({ quantity, asOf }) => typeof asOf === "string" && isSame(quantity * 2, total))
}

const addedToOthers = ({ row }: Part) =>
  `Row ${row} equals the sum of the line’s other rows, and it’s added to them. If it’s their sum, the total is too high.`
