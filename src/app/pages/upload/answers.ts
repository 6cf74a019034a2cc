import { type LoadedFile, type OpenFile, tableOf } from "../../../actions/upload/preview.ts"
import type { Errors } from "../../../domain/errors.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { DATE_ORDERS, readTypedDay, timeOf } from "../../../domain/time/typed-day.ts"
import { onlyColumn, otherColumns, rolesOf } from "../../../domain/upload/reading.ts"
import { type Answers, FIGURES, type Role, WITHOUT_NAME } from "../../../domain/upload/upload.ts"
import type { Texts } from "../../forms/form.ts"

/** The choice of the day field that means "no column". */
export const NO_DAY = "none"
/** The choice of the line field that means "all rows belong to one line". Its package ID follows. */
export const ALL_OF = "all:"
/** The choice that means "no column tells rows of one day apart". */
export const EACH_ROW = "each"

/** What the reading form shows first. The columns of the day and the totals are empty unless they were answered before. */
export function textsOf(loaded: LoadedFile, timeZone: TimeZone): Texts {
  const { reading, line, asOf } = loaded.answers
  const { columns, figures, parts, dayOrder, decimalMark, withoutName } = reading
  const texts: Record<string, string> = { ...preselected(loaded) }
  for (const [role, column] of Object.entries(columns)) texts[role] = String(column)
  for (const [name, answer] of Object.entries({ figures, dayOrder, decimalMark, withoutName }))
    texts[name] = answer ?? ""
  texts["parts"] = parts?.length === 0 ? EACH_ROW : (parts ?? []).join("\n")
  texts["asOf"] = typeof asOf === "number" ? `${dayOf(asOf, timeZone)} ${timeOf(asOf, timeZone)}` : (asOf ?? "")
  if (line !== null) texts["line"] = ALL_OF + line
  return texts
}

function preselected(loaded: LoadedFile): Texts {
  const { kind, columns } = loaded.reading
  if (Object.keys(columns).length > 0) return kind === "delivery" ? { day: NO_DAY } : {}
  // No other choice could report a row.
  const only = onlyColumn(loaded.rows, (text) => isOwn(loaded, text))
  return only === null ? {} : { [kind === "affiliate_metrics" ? "code" : "line"]: String(only) }
}

/** Whether a text is one of the seller's lines or codes. */
export const isOwn = ({ reading, known, findLine }: LoadedFile, text: string): boolean =>
  reading.kind === "affiliate_metrics" ? known.has(text) : findLine(text) !== null

/** The texts of the reading form as answers, with the errors that only the form can have. */
export function readAnswers(
  texts: Texts,
  file: OpenFile,
  timeZone: TimeZone,
): { readonly answers: Answers; readonly errors: Errors } {
  const { kind } = file.answers.reading
  const { headings } = tableOf(file)
  const columns: Partial<Record<Role, number>> = {}
  for (const role of rolesOf(kind)) {
    const column = headings.findIndex((_, index) => String(index) === texts[role])
    if (column >= 0) columns[role] = column
  }
  const errors: Record<string, string> = {}
  if (kind === "delivery" && columns.day === undefined && texts["day"] !== NO_DAY)
    errors["day"] = "Choose the column with the day, or say that no column has it."
  const { asOf: typed = "", line = "" } = texts
  const asOf = typed === "" ? { asOf: null } : readTypedDay(typed, null, timeZone)
  if ("error" in asOf) errors["asOf"] = asOf.error
  const reading = {
    kind,
    columns,
    figures: choiceIn(FIGURES, texts["figures"]),
    parts: readParts(texts["parts"] ?? "", otherColumns(headings, columns)),
    dayOrder: choiceIn(DATE_ORDERS, texts["dayOrder"]),
    decimalMark: choiceIn([".", ","], texts["decimalMark"]),
    withoutName: choiceIn(WITHOUT_NAME, texts["withoutName"]),
    currency: null,
  }
  const answers = {
    ...file.answers,
    reading,
    line: line.startsWith(ALL_OF) ? line.slice(ALL_OF.length) : null,
    asOf: "error" in asOf ? null : asOf.asOf,
    rememberedAt: null,
  }
  return { answers, errors }
}

const choiceIn = <Value extends string>(choices: readonly Value[], text: string | undefined): Value | null =>
  choices.find((choice) => choice === text) ?? null

/** The ticked columns that have nothing else. Null if nothing is ticked. */
function readParts(text: string, others: readonly number[]): readonly number[] | null {
  const ticked = text.split("\n")
  const columns = others.filter((column) => ticked.includes(String(column)))
  return columns.length > 0 ? columns : ticked.includes(EACH_ROW) ? [] : null
}
