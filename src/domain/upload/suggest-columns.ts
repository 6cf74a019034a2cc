import type { PricingBasis } from "../campaign/package-line.ts"
import { DELIVERY_CSV } from "../csv/csv-rows.ts"
import { readNumber } from "../text/typed-number.ts"
import { dayReader } from "../time/typed-day.ts"
import type { UploadKind } from "./columns.ts"

// What columns mean by their values, where no title tells. Somebody confirms it, so one column that fits is enough; of two, none is.

type Cells = readonly (readonly string[])[]

function suggest(
  columns: readonly string[],
  cells: Cells,
  meaning: string,
  fits: (text: string, row: number) => boolean,
) {
  const places = columns.flatMap((given, place) => {
    const isEmpty = cells.every((row) => !row[place])
    const isFit = cells.every((row, i) => !row[place] || fits(row[place], i))
    return given === "" && !isEmpty && isFit ? [place] : []
  })
  const [place] = places
  return place === undefined || places.length > 1 || columns.includes(meaning) ? columns : columns.with(place, meaning)
}

const isDay = dayReader("UTC", null)

export function suggestDays(kind: UploadKind, columns: readonly string[], cells: Cells): readonly string[] {
  if (kind === "affiliate_codes") return columns
  const fits = (text: string) => {
    const day = isDay(text)
    return day.ok || day.isAmbiguous === true
  }
  return suggest(columns, cells, kind === "delivery" ? "as_of" : "date", fits)
}

type Line = Readonly<{ pricingBasis: PricingBasis; total: { readonly quantity: number } | null }>

/** The totals of lines with one basis: numbers of which none is lower than the total that its line has. */
export function suggestTotals(columns: readonly string[], cells: Cells, lines: readonly (Line | undefined)[]) {
  const [unit, ...others] = new Set(lines.flatMap((line) => (line === undefined ? [] : [line.pricingBasis])))
  const field = DELIVERY_CSV.numbers[unit ?? ""]
  if (unit === undefined || field === undefined || others.length > 0) return columns
  return suggest(columns, cells, unit, (text, row) => {
    const read = readNumber(text, field)
    return read.ok && read.value >= (lines[row]?.total?.quantity ?? 0)
  })
}
