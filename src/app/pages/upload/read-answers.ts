import type { Errors } from "../../../domain/errors.ts"
import type { CalendarDate, Moment } from "../../../domain/time/moment.ts"
import { DATE_ORDERS, type DateOrder, readTypedDay } from "../../../domain/time/typed-day.ts"
import { onlyLineColumn, rolesOf } from "../../../domain/upload/reading.ts"
import { type Answers, FIGURES, type Reading, type Role } from "../../../domain/upload/upload.ts"
import type { Texts } from "../../forms/form.ts"
import type { MemberVisit } from "../../visit.ts"
import type { OpenUpload } from "./find-upload.ts"

/** The choice of the day field that means "no column". */
export const NO_DAY = "none"
/** The choice of the line field that means "all rows belong to one line". Its package ID follows. */
export const ALL_OF = "all:"

/** What the reading form shows first. The columns of the day and the totals are empty unless they were answered before. */
export function textsOf({ file, loaded }: OpenUpload): Texts {
  const { reading, line, headerRow } = file.answers
  const { kind, columns, figures, dayOrder, decimalMark } = reading
  const texts: Record<string, string> = { headerRow: String(headerRow), kind }
  for (const role of rolesOf(kind)) texts[role] = columns[role] === undefined ? "" : String(columns[role])
  const isAnswered = Object.keys(columns).length > 0
  if (isAnswered && columns.day === undefined && kind === "delivery") texts["day"] = NO_DAY
  if (line !== null) texts["line"] = ALL_OF + line
  // No other choice could report a row.
  else if (!isAnswered && kind !== "affiliate_metrics")
    texts["line"] = String(onlyLineColumn(loaded.rows, loaded.findLine) ?? "")
  return { ...texts, figures: figures ?? "", dayOrder: dayOrder ?? "", decimalMark: decimalMark ?? "", asOf: "" }
}

/** The texts of the reading form as answers, with the errors that only the form can have. */
export function readAnswers(
  texts: Texts,
  { file, loaded }: OpenUpload,
  { timeZone }: MemberVisit,
): { readonly answers: Answers; readonly errors: Errors } {
  const { kind } = file.answers.reading
  const columns: Partial<Record<Role, number>> = {}
  for (const role of rolesOf(kind)) {
    const column = texts[role] ?? ""
    if (/^\d{1,3}$/.test(column) && Number(column) < loaded.headings.length) columns[role] = Number(column)
  }
  const asOf = readAsOf(texts["asOf"] ?? "", timeZone)
  const reading: Reading = {
    kind,
    columns,
    figures: FIGURES.find((each) => each === texts["figures"]) ?? null,
    dayOrder: DATE_ORDERS.find((each): each is DateOrder => each === texts["dayOrder"]) ?? null,
    decimalMark: ([".", ","] as const).find((each) => each === texts["decimalMark"]) ?? null,
  }
  const line = (texts["line"] ?? "").startsWith(ALL_OF) ? (texts["line"] ?? "").slice(ALL_OF.length) : null
  const errors: Record<string, string> = asOf.error === null ? {} : { asOf: asOf.error }
  if (kind === "delivery" && columns.day === undefined && texts["day"] !== NO_DAY)
    errors["day"] = "Choose the column with the day, or say that no column has it."
  return { answers: { ...file.answers, reading, line, asOf: asOf.value, rememberedAt: null }, errors }
}

function readAsOf(
  text: string,
  timeZone: string,
): { readonly value: CalendarDate | Moment | null; readonly error: string | null } {
  if (text === "") return { value: null, error: null }
  const read = readTypedDay(text, null, timeZone)
  return "error" in read ? { value: null, error: read.error } : { value: read.asOf, error: null }
}
