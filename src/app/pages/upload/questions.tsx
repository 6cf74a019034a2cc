import type { FilePreview, LoadedFile } from "../../../actions/upload/preview.ts"
import { UNITS, type Unit } from "../../../domain/campaign/line.ts"
import type { Errors } from "../../../domain/errors.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { DATE_ORDERS, readTypedDay, timeOf } from "../../../domain/time/typed-day.ts"
import { onlyColumn, otherColumns, rolesOf } from "../../../domain/upload/reading.ts"
import { type Answers, cellOf, FIGURES, type Role, WITHOUT_NAME } from "../../../domain/upload/upload.ts"
import type { Texts } from "../../forms/form.ts"
import { CheckList, type Choice, Radios, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { useForm } from "../../parts/form.tsx"
import { headingOf, type OpenUpload } from "./open-upload.tsx"

/** The choice of the day field that means "no column". */
const NO_DAY = "none"
/** The choice of the line field that means "all rows belong to one line". Its package ID follows. */
const ALL_OF = "all:"
/** The choice that means "no column tells rows of one day apart". */
const EACH_ROW = "each"

/** What the reading form shows first. The columns of the day and the totals are empty unless they were answered before. */
export function textsOf({ file, loaded }: OpenUpload, timeZone: TimeZone): Texts {
  const { reading, line, headerRow, asOf } = file.answers
  const { kind, columns, figures, parts, dayOrder, decimalMark, withoutName } = reading
  const texts: Record<string, string> = { headerRow: String(headerRow) }
  for (const role of rolesOf(kind)) texts[role] = String(columns[role] ?? "")
  texts["parts"] = parts?.length === 0 ? EACH_ROW : (parts ?? []).join("\n")
  const others = { figures, dayOrder, decimalMark, withoutName }
  for (const [name, answer] of Object.entries(others)) texts[name] = answer ?? ""
  texts["asOf"] = typeof asOf === "number" ? `${dayOf(asOf, timeZone)} ${timeOf(asOf, timeZone)}` : (asOf ?? "")
  if (line !== null) texts["line"] = ALL_OF + line
  if (Object.keys(columns).length > 0) {
    if (kind === "delivery" && columns.day === undefined) texts["day"] = NO_DAY
    return texts
  }
  // No other choice could report a row.
  const only = onlyColumn(loaded.rows, (text) => isOwn(loaded, text))
  const role = kind === "affiliate_metrics" ? "code" : "line"
  return { ...texts, [role]: texts[role] || String(only ?? "") }
}

/** Whether a text is one of the seller's lines or codes. */
const isOwn = ({ reading, known, findLine }: LoadedFile, text: string): boolean =>
  reading.kind === "affiliate_metrics" ? known.has(text) : findLine(text) !== null

const choiceIn = <Value extends string>(choices: readonly Value[], text: string | undefined): Value | null =>
  choices.find((choice) => choice === text) ?? null

/** The texts of the reading form as answers, with the errors that only the form can have. */
export function readAnswers(
  texts: Texts,
  { file, loaded }: OpenUpload,
  timeZone: TimeZone,
): { readonly answers: Answers; readonly errors: Errors } {
  const { kind } = file.answers.reading
  const columns: Partial<Record<Role, number>> = {}
  for (const role of rolesOf(kind)) {
    const column = loaded.headings.findIndex((_, index) => String(index) === texts[role])
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
    parts: readParts(texts["parts"] ?? "", otherColumns(loaded.headings, columns)),
    dayOrder: choiceIn(DATE_ORDERS, texts["dayOrder"]),
    decimalMark: choiceIn([".", ","], texts["decimalMark"]),
    withoutName: choiceIn(WITHOUT_NAME, texts["withoutName"]),
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

/** The ticked columns that have nothing else. Null if nothing is ticked. */
function readParts(text: string, others: readonly number[]): readonly number[] | null {
  const ticked = text.split("\n")
  const columns = others.filter((column) => ticked.includes(String(column)))
  return columns.length > 0 ? columns : ticked.includes(EACH_ROW) ? [] : null
}

interface QuestionsProps {
  readonly open: OpenUpload
  /** The file as it's read with the answers in the form. */
  readonly answered: LoadedFile
  /** What is in its rows, if the columns are chosen. Daily figures if that's possible. */
  readonly checked: FilePreview | null
}

const CHOOSE = { value: "", label: "Choose …" }
const NONE = { value: "", label: "None" }

/** The questions about a file. Each kind of file has its own. */
export function Questions({ open: { loaded }, answered, checked }: QuestionsProps) {
  const { kind } = loaded.reading
  const columns = columnChoices(loaded)
  const units = unitsOf(loaded)
  const column = (role: Role, label: string, hint?: string, first: readonly Choice[] = [CHOOSE]) => (
    <Select name={role} label={label} hint={hint} choices={[...first, ...columns]} required={first[0] === CHOOSE} />
  )
  const optional = (role: Role, label: string) => column(role, label, undefined, [NONE])
  const noDay = { value: NO_DAY, label: "No column has the day" }
  return (
    <>
      {kind !== "affiliate_metrics" && (
        <Select
          name="line"
          label="Which column has your lines?"
          hint={LINE_HINT}
          choices={[CHOOSE, ...columns, ...lineChoices(loaded)]}
          required
        />
      )}
      {kind === "delivery" && (
        <>
          {column("day", "Which column has the day?", DAY_HINT, [CHOOSE, noDay])}
          {units.map((unit) =>
            units.length > 1
              ? optional(unit, `Which column has the ${unit}?`)
              : column(unit, `Which column has the totals (${unit})?`),
          )}
          <Radios name="figures" label="What are the rows?" choices={FIGURES_CHOICES} />
          <Field name="asOf" label="Measured at" hint={AS_OF_HINT} />
        </>
      )}
      {kind !== "delivery" && column("code", "Which column has the code?")}
      {kind === "affiliate_codes" && optional("slug", "Which column has the slug?")}
      {kind === "affiliate_metrics" && (
        <>
          {column("day", "Which column has the day?", CODE_DAY_HINT)}
          {optional("clicks", "Which column has the clicks?")}
          {optional("conversions", "Which column has the conversions?")}
          {optional("conversionValue", "Which column has the value of the conversions?")}
        </>
      )}
      <div id="more" class="stack" data-updated>
        <FurtherQuestions answered={answered} checked={checked} />
      </div>
    </>
  )
}

/** Questions that only some files need, depending on the other answers. A script keeps them up to date. */
function FurtherQuestions({ answered, checked }: Omit<QuestionsProps, "open">) {
  const { texts, errors } = useForm()
  const { open, reading } = answered
  const noun = reading.kind === "delivery" ? "line" : "code"
  const isAsked = (name: string, isOpen: boolean) => isOpen || (errors[name] ?? texts[name] ?? "") !== ""
  return (
    <>
      {isAsked("parts", checked?.sameDay != null && reading.figures !== "totals") && (
        <CheckList
          name="parts"
          label={`What tells rows of one ${noun} and day apart?`}
          hint="Adbooth adds up rows that differ in these columns, and rejects the others."
          choices={partChoices(answered)}
        />
      )}
      {isAsked("withoutName", (checked?.withoutName.length ?? 0) > 0) && (
        <Radios name="withoutName" label={`What are rows without a ${noun}?`} choices={withoutNameChoices(noun)} />
      )}
      {isAsked("dayOrder", open.days !== null) && (
        <Radios name="dayOrder" label="How are days written?" choices={DAY_ORDER_CHOICES} />
      )}
      {isAsked("decimalMark", open.numbers !== null) && (
        <Radios name="decimalMark" label="How are decimals written?" choices={DECIMAL_CHOICES} />
      )}
    </>
  )
}

/** The columns with their first values. */
const columnChoices = ({ headings, rows }: LoadedFile): Choice[] =>
  headings.map((_, column) => {
    const first = rows.find((row) => cellOf(row, column) !== "")
    const label = headingOf(headings, column)
    return {
      value: String(column),
      label: first === undefined ? label : `${label}: ${cellOf(first, column).slice(0, 30)}`,
    }
  })

const lineChoices = ({ lines }: LoadedFile): Choice[] =>
  lines
    .filter(({ isArchived }) => !isArchived)
    .map(({ packageId, name, campaign }) => ({
      value: ALL_OF + packageId,
      label: `All rows: ${name} (${campaign.name})`,
    }))

/** The units of the seller's lines, and those that were chosen before. */
function unitsOf({ lines, reading }: LoadedFile): readonly Unit[] {
  const isSold = (unit: Unit) => lines.some(({ pricingBasis, isArchived }) => pricingBasis === unit && !isArchived)
  const used = UNITS.filter((unit) => reading.columns[unit] !== undefined || isSold(unit))
  return used.length === 0 ? UNITS : used
}

const LINE_HINT = "A line ID, your own ID or the name of a line. If no column has it, choose one line for all rows."
const DAY_HINT =
  "The day of the figures. For one row per mailing, choose the day it was sent, and daily figures below. " +
  "If the file has totals of episodes so far, no column has it: Published isn’t the day they were measured."
const CODE_DAY_HINT = "Each row must have the figures of its day, not everything so far."
const AS_OF_HINT =
  "If no column has the day: 2026-11-14 or 2026-11-14 18:30. Leave it empty for the time of the upload."

const FIGURES_CHOICES: readonly Choice[] = [
  { value: "totals", label: "Totals so far", note: "Each row has everything that was delivered until then." },
  {
    value: "daily",
    label: "Daily figures",
    note: "Each row is the delivery of one day or one mailing. Adbooth adds the rows up.",
  },
]

const DAY_ORDER_CHOICES: readonly Choice[] = [
  { value: "day_first", label: "The day first", note: "02/11/2026 is 2 November." },
  { value: "month_first", label: "The month first", note: "02/11/2026 is 11 February." },
]

const DECIMAL_CHOICES: readonly Choice[] = [
  { value: ".", label: "With a point", note: "1,000 is a thousand, and 1.000 is one." },
  { value: ",", label: "With a comma", note: "1.000 is a thousand, and 1,000 is one." },
]

const VALUES_SHOWN = 3

/** The columns that aren't the same in each of the seller's rows, with some of their values. */
function partChoices(loaded: LoadedFile): Choice[] {
  const { headings, rows, reading, onlyLine } = loaded
  const own = rows.filter(({ name }) => onlyLine !== null || isOwn(loaded, name))
  const choices = otherColumns(headings, reading.columns).flatMap((column) => {
    const [first, ...others] = new Set(own.map((row) => cellOf(row, column)))
    const note = [first, ...others.slice(0, VALUES_SHOWN - 1)].map((value) => value || "(empty)").join(", ")
    return others.length === 0 ? [] : [{ value: String(column), label: headingOf(headings, column), note }]
  })
  return [...choices, { value: EACH_ROW, label: "Nothing does", note: "Each row counts. This is asked for each file." }]
}

const withoutNameChoices = (noun: "line" | "code"): readonly Choice[] => [
  { value: "skip", label: "Not mine", note: "They’re skipped." },
  {
    value: "stop",
    label: `Their ${noun} is missing`,
    note: "It’s in a merged cell, for example. Nothing that they could belong to is reported.",
  },
]
