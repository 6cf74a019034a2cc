import { parseJson } from "../schema/exact-json.ts"
import { readNumber } from "../text/typed-number.ts"
import type { TimeZone } from "../time/time-zone.ts"
import { dayReader } from "../time/typed-day.ts"
import { EXTERNAL_ID, UPLOAD_FORMATS } from "./columns.ts"
import type { UploadChoices, UploadKind, UploadProblem } from "./upload.ts"

/** Why a row is refused. Rows with the same key are shown together. */
export interface RowRefusal {
  readonly key: string
  readonly title: string
  readonly text: string
  readonly example: string
  readonly decide: UploadProblem["decide"]
}

/** A row as the API takes it, without its line where that is named by the seller's own id. */
export type ReadRow =
  | { readonly ok: true; readonly element: Record<string, unknown>; readonly externalId: string | null }
  | { readonly ok: false; readonly refusal: RowRefusal }

type CellReader = (text: string) => unknown | RefusedCell

class RefusedCell {
  readonly refusal: RowRefusal
  constructor(refusal: RowRefusal) {
    this.refusal = refusal
  }
}

/** Reads the rows of a file by what its columns mean. */
export function rowReader(
  kind: UploadKind,
  choices: UploadChoices,
  zone: TimeZone,
): (cells: readonly string[]) => ReadRow {
  const columns = choices.columns ?? []
  const used = columns.flatMap((name, place) =>
    name === "" ? [] : [{ name, place, read: cellReader(kind, name, choices, zone) }],
  )
  return (cells) => {
    if (cells.length > columns.length) return { ok: false, refusal: tooLong(cells.length, columns.length) }
    const element: Record<string, unknown> = {}
    let externalId: string | null = null
    for (const { name, place, read } of used) {
      const text = (cells[place] ?? "").trim()
      if (name === EXTERNAL_ID) externalId = text
      else if (text !== "") {
        const value = read(text)
        if (value instanceof RefusedCell) return { ok: false, refusal: value.refusal }
        element[name] = value
      }
    }
    return { ok: true, element, externalId }
  }
}

function tooLong(cells: number, columns: number): RowRefusal {
  const text = `It has ${cells} cells, but the header has ${columns}. Figures with a comma need quotation marks around them.`
  return { key: "cells", title: "A row is longer than the header", text, example: "", decide: null }
}

function cellReader(kind: UploadKind, name: string, choices: UploadChoices, zone: TimeZone): CellReader {
  const { csv, meanings } = UPLOAD_FORMATS[kind]
  const label = meanings.find((one) => one.name === name)?.label ?? name
  const field = csv.numbers[name]
  if (field !== undefined)
    return numberReader(label, { ...field, ...(choices.numbers && { ambiguous: choices.numbers }) })
  if (name !== "as_of" && name !== "date") return (text) => text
  const read = dayReader(zone, choices.dates)
  return (text) => {
    const day = read(text)
    if (day.ok) return day.value
    const title = day.isAmbiguous ? "A day can be read in two ways" : "A day cannot be read"
    const decide = day.isAmbiguous ? "dates" : null
    return new RefusedCell({ key: title, title, text: `${label}: ${day.message}`, example: text, decide })
  }
}

const PLAIN_DIGITS = /^(?:0|[1-9]\d{0,14})$/

function numberReader(label: string, field: Parameters<typeof readNumber>[1]): CellReader {
  return (text) => {
    // Most figures are.
    if (PLAIN_DIGITS.test(text) && field.max > 999_999_999_999_999) return parseJson(text)
    const read = readNumber(text, field)
    if (read.ok) return parseJson(read.digits)
    const isAmbiguous = read.isAmbiguous === true
    const title = isAmbiguous ? "A figure can be read in two ways" : "A figure cannot be read"
    const decide = isAmbiguous ? "numbers" : null
    return new RefusedCell({ key: title, title, text: `${label}: ${read.message}`, example: text, decide })
  }
}
