import { type CalendarDate, dateInWords, dayAfter, type Moment } from "../time/moment.ts"
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
  readonly name: string
}

type Day = readonly Part[]

interface CheckedParts {
  /** The rows that are sums of others, so they aren't added. */
  readonly sums: ReadonlySet<number>
  /** Two rows of one day, before a person chooses what tells them apart. In words. */
  readonly open: string | null
  /** Two rows that are about the same part of a day, so they can't both be right. In words. */
  readonly conflict: string | null
  /** Why adding up may be wrong. */
  readonly doubt: string | null
}

/**
 * Finds out which rows of a line or code can be added up. A person chose the columns that tell rows of one day apart, so
 * a second row with the same day and the same texts there isn't a part of it.
 */
export function checkParts(
  parts: readonly Part[],
  columns: readonly number[] | null,
  headings: readonly string[],
): CheckedParts {
  // Rows without delivery change no sum.
  const delivered = parts.filter(({ quantity }) => quantity > 0)
  const days = [...Map.groupBy(delivered, ({ day }) => day).values()]
  const several = days.filter((day) => day.length > 1)
  const sums = new Set(several.flatMap((day) => sumsIn(day, columns ?? []).map(({ row }) => row)))
  const added = days.map((day) => day.filter(({ row }) => !sums.has(row)))
  const nothing = { sums, open: null, conflict: null }
  const twice = sameParts(added, columns)
  if (twice === null) return { ...nothing, doubt: likeSum(added, columns ?? []) ?? likeSumOfAll(added) }
  const rows = `Rows ${twice[0].row} and ${twice[1].row}`
  const day = dateInWords(twice[1].day)
  if (columns === null) return { ...nothing, open: `${rows} are both about ${day}.`, doubt: null }
  if (columns.length === 0)
    return { ...nothing, doubt: `${rows} are the same. If the file has this day twice, the total is too high.` }
  const same = columns.map((column) => `${headings[column] || "column"} “${cellIn(twice[1], column)}”`).join(", ")
  const conflict = `${rows} both have ${same} on ${day}, so only one of them can be right.`
  return { ...nothing, conflict, doubt: null }
}

const cellIn = ({ cells }: Part, column: number): string => (cells[column] ?? "").trim()

/** What tells a part from the other parts of its day, apart from its time. */
export const labelOf = (part: Part, columns: readonly number[]): string =>
  JSON.stringify([part.name, ...columns.map((column) => cellIn(part, column).toLowerCase())])

/** The first two rows that are about the same part. If no column tells rows apart, only exact repetitions are. */
function sameParts(days: readonly Day[], columns: readonly number[] | null): readonly [Part, Part] | null {
  for (const day of days.filter((each) => each.length > 1)) {
    const seen = new Map<string, Part>()
    for (const part of day) {
      const label = columns?.length === 0 ? part.cells.join("\n") : labelOf(part, columns ?? [])
      const first = seen.getOrInsert(`${part.asOf} ${label}`, part)
      if (first !== part) return [first, part]
    }
  }
  return null
}

const quantityOf = (parts: Day): number => parts.reduce((sum, { quantity }) => sum + quantity, 0)

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.000_001

const SUM = /^(?:all|alle|tous|toutes|todos|todas|tutti|tutte|any|combined)\b|\btotal$/iu

const isCalledSum = (part: Part, columns: readonly number[]): boolean =>
  columns.some((column) => saysSum(cellIn(part, column)) || SUM.test(cellIn(part, column)))

/** The columns that aren't the same in all rows of a day. "All Day Radio" in each of them is a name. */
const differingIn = ([first, ...others]: Day, columns: readonly number[]): number[] =>
  columns.filter((column) => others.some((part) => cellIn(part, column) !== cellIn(first as Part, column)))

/** The rows of a day that are called sums, or have an empty cell, and have as much as its other rows. */
function sumsIn(day: Day, columns: readonly number[]): Day {
  const differing = differingIn(day, columns)
  const isMarked = (part: Part) =>
    isCalledSum(part, differing) || differing.some((column) => cellIn(part, column) === "")
  const marked = day.filter(isMarked)
  const rest = quantityOf(day) - quantityOf(marked)
  const isSum =
    rest > 0 && [quantityOf(marked), ...marked.map(({ quantity }) => quantity)].some((sum) => isSame(sum, rest))
  return isSum ? marked : []
}

const TOO_HIGH = "It’s added to them. If it’s their sum, the total is too high."

/** Asks about a row that is called a sum but isn't one, and about a part that mostly equals the others of its day. */
function likeSum(days: readonly Day[], columns: readonly number[]): string | null {
  const several = days.filter((day) => day.length > 1)
  for (const day of several) {
    const differing = differingIn(day, columns)
    const called = day.find((part) => isCalledSum(part, differing))
    const others = day.filter((part) => part !== called)
    if (called !== undefined)
      return `Row ${called.row} looks like a sum of its day, but the other rows have ${inWords(quantityOf(others))}. ${TOO_HIGH}`
  }
  const compared = several.filter((day) => day.length > 2)
  const equal = compared.flatMap((day) => {
    const total = quantityOf(day)
    return day.find(({ quantity }) => isSame(quantity * 2, total)) ?? []
  })
  const daysWith = Map.groupBy(compared.flat(), (part) => labelOf(part, columns))
  const daysAsSum = Map.groupBy(equal, (part) => labelOf(part, columns))
  for (const [label, [part, ...more]] of daysAsSum) {
    const count = new Set(daysWith.get(label)?.map(({ day }) => day)).size
    if (part !== undefined && (more.length + 1) * 2 >= count)
      return `Row ${part.row} equals the sum of the other rows of its day. ${TOO_HIGH}`
  }
  return null
}

/** Asks about a row with as much as all other rows together: their sum may have the day of the export, but hardly a time. */
function likeSumOfAll(days: readonly Day[]): string | null {
  const parts = days.flat()
  const total = quantityOf(parts)
  const sum = parts.findLast(({ quantity, asOf }) => typeof asOf === "string" && isSame(quantity * 2, total))
  if (sum === undefined || days.length < 2) return null
  // Two days in a row may have the same figure.
  const [first, second] = parts.map(({ day }) => day).sort()
  if (parts.length === 2 && dayAfter(first ?? "") === second) return null
  return `Row ${sum.row} equals the sum of all other rows of its line. ${TOO_HIGH}`
}
