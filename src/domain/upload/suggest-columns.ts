import { COUNTED_BASES, isUnit, type PricingBasis } from "../campaign/pricing-basis.ts"
import { DECIMAL, readNumber } from "../text/typed-number.ts"
import { dayReader } from "../time/typed-day.ts"
import { saysOtherwise, type UploadKind } from "./columns.ts"

// What columns mean by their values, where no title tells. Somebody confirms it, so one column that fits is enough; of two, none is.

type Names = readonly string[]
type Cells = readonly (readonly string[])[]
type Fits = (text: string, row: number) => boolean

function suggest(columns: Names, isOut: readonly boolean[], cells: Cells, meaning: string, fits: Fits): Names {
  const indexes = columns.flatMap((given, index) => {
    const isEmpty = cells.every((row) => !row[index])
    const isFit = cells.every((row, i) => !row[index] || fits(row[index], i))
    return given === "" && isOut[index] !== true && !isEmpty && isFit ? [index] : []
  })
  const [index] = indexes
  return index === undefined || indexes.length > 1 || columns.includes(meaning) ? columns : columns.with(index, meaning)
}

const readDay = dayReader("UTC", null)

type Line = Readonly<{ pricingBasis: PricingBasis; flightStart: string; flightEnd: string | null }> &
  Readonly<{ total: { readonly quantity: number } | null }>
type Lines = readonly (Line | undefined)[]

/** Days that are not the first or last of a flight, nor said to be others, which say nothing about when something was measured. */
export function suggestDays(kind: UploadKind, header: Names, columns: Names, cells: Cells, lines: Lines): Names {
  if (kind === "affiliate_codes") return columns
  const meaning = kind === "delivery" ? "as_of" : "date"
  const isDay = (text = "", day = readDay(text)) => day.ok || day.isAmbiguous
  // A heading such as "All time" may promise what its values are not.
  const isWrong = (index: number) => cells.length > 0 && !cells.some((row) => isDay(row[index]))
  const days = columns.map((given, index) => (given === meaning && isWrong(index) ? "" : given))
  const isOut = columns.map((_, index) => saysOtherwise(header[index] ?? ""))
  return suggest(days, isOut, cells, meaning, (text, row) => {
    const day = readDay(text)
    const { flightStart, flightEnd } = lines[row] ?? {}
    return day.ok ? day.value !== flightStart && day.value !== flightEnd : day.isAmbiguous
  })
}

/** The totals of lines with one basis: the only numbers, because IDs, years and prices are some too, and none below its line's total. */
export function suggestTotals(columns: Names, cells: Cells, lines: Lines): Names {
  const [unit, ...others] = new Set(lines.flatMap((line) => (line === undefined ? [] : [line.pricingBasis])))
  if (unit === undefined || !isUnit(unit) || others.length > 0 || columns.some(isUnit)) return columns
  const field = COUNTED_BASES[unit].number
  const isNumber = (text: string) => readNumber(text, { ...DECIMAL, ambiguous: "grouped" }).ok
  const suggested = suggest(columns, [], cells, unit, isNumber)
  const index = suggested.indexOf(unit)
  const isTotal = cells.every((row, i) => {
    const read = row[index] ? readNumber(row[index], { ...field, ambiguous: "grouped" }) : null
    return read === null || (read.ok && read.value >= (lines[i]?.total?.quantity ?? 0))
  })
  return isTotal ? suggested : columns
}
