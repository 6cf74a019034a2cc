import { checkFile, type LoadedFile } from "../../../actions/upload/preview.ts"
import { UNITS, type Unit } from "../../../domain/campaign/line.ts"
import type { Errors } from "../../../domain/errors.ts"
import type { CalendarDate, Moment } from "../../../domain/time/moment.ts"
import { DATE_ORDERS, type DateOrder, readTypedDay } from "../../../domain/time/typed-day.ts"
import { onlyColumn, rolesOf } from "../../../domain/upload/reading.ts"
import { saysSum } from "../../../domain/upload/rows.ts"
import {
  type Answers,
  cellOf,
  FIGURES,
  type Reading,
  type Role,
  type Row,
  type UploadKind,
  WITHOUT_CODE,
} from "../../../domain/upload/upload.ts"
import type { FormState, Texts } from "../../forms/form.ts"
import { type Choice, Radios, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { formatCount } from "../../parts/format.tsx"
import type { MemberVisit } from "../../visit.ts"
import { headingOf, type OpenUpload } from "./find-upload.tsx"

/** The choice of the day field that means "no column". */
const NO_DAY = "none"
/** The choice of the line field that means "all rows belong to one line". Its package ID follows. */
const ALL_OF = "all:"

/** What the reading form shows first. The columns of the day and the totals are empty unless they were answered before. */
export function textsOf({ file, loaded }: OpenUpload): Texts {
  const { reading, line, headerRow } = file.answers
  const { kind, columns, figures, dayOrder, decimalMark, withoutCode } = reading
  const texts: Record<string, string> = { headerRow: String(headerRow), kind }
  for (const role of rolesOf(kind)) texts[role] = columns[role] === undefined ? "" : String(columns[role])
  const isAnswered = Object.keys(columns).length > 0
  if (isAnswered && columns.day === undefined && kind === "delivery") texts["day"] = NO_DAY
  if (line !== null) texts["line"] = ALL_OF + line
  // No other choice could report a row.
  else if (!isAnswered && kind !== "affiliate_metrics")
    texts["line"] = String(onlyColumn(loaded.rows, (text) => loaded.findLine(text) !== null) ?? "")
  else if (!isAnswered) texts["code"] = String(onlyColumn(loaded.rows, (text) => loaded.known.has(text)) ?? "")
  const others = { figures, dayOrder, decimalMark, withoutCode }
  for (const [name, answer] of Object.entries(others)) texts[name] = answer ?? ""
  return { ...texts, asOf: "" }
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
    withoutCode: WITHOUT_CODE.find((each) => each === texts["withoutCode"]) ?? null,
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

const CHOOSE = "Choose …"
const NONE = "None"

interface QuestionsProps {
  readonly open: OpenUpload
  /** The file as it's read with the answers in the form. */
  readonly answered: LoadedFile
  readonly form: FormState
}

const AFFILIATE_QUESTIONS: Partial<
  Record<UploadKind, readonly (readonly [role: Role, question: string, first: string])[]>
> = {
  affiliate_codes: [
    ["code", "Which column has the code?", CHOOSE],
    ["slug", "Which column has the slug?", NONE],
  ],
  affiliate_metrics: [
    ["code", "Which column has the code?", CHOOSE],
    ["day", "Which column has the day?", CHOOSE],
    ["clicks", "Which column has the clicks?", NONE],
    ["conversions", "Which column has the conversions?", NONE],
    ["conversionValue", "Which column has the value of the conversions?", NONE],
  ],
}

/** The questions about a file. Each kind of file has its own. */
export function Questions({ open, answered, form }: QuestionsProps) {
  const { kind } = open.file.answers.reading
  const columns = columnChoices(open)
  const select = (name: string, label: string, first: string) => (
    <Select name={name} label={label} choices={[{ value: "", label: first }, ...columns]} required={first === CHOOSE} />
  )
  return (
    <>
      {kind !== "affiliate_metrics" && <LineQuestion open={open} columns={columns} />}
      {AFFILIATE_QUESTIONS[kind]?.map(([role, question, first]) => select(role, question, first))}
      {kind === "delivery" && (
        <>
          <DayQuestion columns={columns} />
          {unitsOf(open).map((unit, _, units) =>
            select(unit, totalsLabel(unit, units), units.length > 1 ? NONE : CHOOSE),
          )}
          <Radios name="figures" label="What are the rows?" choices={FIGURES_CHOICES} />
          <Field name="asOf" label="Measured at" hint={AS_OF_HINT} />
        </>
      )}
      {kind === "affiliate_metrics" && <WithoutCode loaded={answered} />}
      <HowToRead form={form} />
    </>
  )
}

const totalsLabel = (unit: Unit, { length }: readonly Unit[]) =>
  length > 1 ? `Which column has the ${unit}?` : `Which column has the totals (${unit})?`

/** The units of the seller's lines, and those that were chosen before. */
function unitsOf({ loaded, file }: OpenUpload): Unit[] {
  const used = UNITS.filter(
    (unit) =>
      file.answers.reading.columns[unit] !== undefined ||
      loaded.lines.some(({ pricingBasis, isArchived }) => pricingBasis === unit && !isArchived),
  )
  return used.length === 0 ? [...UNITS] : used
}

const FIGURES_CHOICES: readonly Choice[] = [
  { value: "totals", label: "Totals so far", note: "Each row has everything that was delivered until then." },
  {
    value: "daily",
    label: "Daily figures",
    note: "Each row is the delivery of one day or one mailing. Adbooth adds the rows up.",
  },
]

interface ColumnsProps {
  readonly open: OpenUpload
  readonly columns: readonly Choice[]
}

function LineQuestion({ open, columns }: ColumnsProps) {
  const lines = open.loaded.lines.filter(({ isArchived }) => !isArchived)
  const ofOneLine = lines.map(({ packageId, name, campaign }) => {
    return { value: ALL_OF + packageId, label: `All rows: ${name} (${campaign.name})` }
  })
  const choices = [{ value: "", label: CHOOSE }, ...columns, ...ofOneLine]
  const hint = "A line ID, your own ID or the name of a line. If no column has it, choose one line for all rows."
  return <Select name="line" label="Which column has your lines?" hint={hint} choices={choices} required />
}

function DayQuestion({ columns }: Pick<ColumnsProps, "columns">) {
  const choices = [{ value: "", label: CHOOSE }, { value: NO_DAY, label: "No column has the day" }, ...columns]
  const hint =
    "The day of the figures. For one row per mailing, choose the day it was sent, and daily figures below. " +
    "If the file has totals of episodes so far, no column has it: Published isn’t the day they were measured."
  return <Select name="day" label="Which column has the day?" hint={hint} choices={choices} required />
}

const AS_OF_HINT =
  "If no column has the day: 2026-11-14 or 2026-11-14 18:30. Leave it empty for the time of the upload."

/** Asked only if the columns don't show it. */
const HowToRead = ({ form: { texts, errors } }: Pick<QuestionsProps, "form">) => (
  <>
    {(errors["dayOrder"] ?? texts["dayOrder"] ?? "") !== "" && (
      <Radios name="dayOrder" label="How are days written?" choices={DAY_ORDER_CHOICES} />
    )}
    {(errors["decimalMark"] ?? texts["decimalMark"] ?? "") !== "" && (
      <Radios name="decimalMark" label="How are decimals written?" choices={DECIMAL_CHOICES} />
    )}
  </>
)

/** Asked only if a row has no code. */
function WithoutCode({ loaded }: { readonly loaded: LoadedFile }) {
  const { columns } = loaded.answers.reading
  const lacksCode = (row: Row) => cellOf(row, columns.code) === "" && !row.cells.some(saysSum)
  if (columns.code === undefined || !loaded.rows.some(lacksCode)) return null
  const effectOf = (withoutCode: "skip" | "stop") => {
    const { entries } = checkFile(loaded, { withoutCode })
    const days = entries.reduce((sum, entry) => sum + entry.days.length, 0)
    return `${formatCount(days, "day")} of ${formatCount(entries.length, "code")} can be reported.`
  }
  const choices: readonly Choice[] = [
    { value: "skip", label: "Skip them", note: `They’re traffic without a code. ${effectOf("skip")}` },
    {
      value: "stop",
      label: "Hold back all codes of those days",
      note: `Their code is missing, as in merged cells. ${effectOf("stop")}`,
    },
  ]
  return <Radios name="withoutCode" label="What happens to rows without a code?" choices={choices} />
}

const DAY_ORDER_CHOICES: readonly Choice[] = [
  { value: "day_first", label: "The day first", note: "02/11/2026 is 2 November." },
  { value: "month_first", label: "The month first", note: "02/11/2026 is 11 February." },
]

const DECIMAL_CHOICES: readonly Choice[] = [
  { value: ".", label: "With a point", note: "1,000 is a thousand, and 1.000 is one." },
  { value: ",", label: "With a comma", note: "1.000 is a thousand, and 1,000 is one." },
]

/** The columns with their first values. */
function columnChoices({ loaded }: OpenUpload): Choice[] {
  const { headings, rows } = loaded
  return headings.map((_, column) => {
    const sample = rows.find(({ cells }) => (cells[column] ?? "").trim() !== "")?.cells[column]?.trim()
    const label = headingOf(headings, column)
    return { value: String(column), label: sample === undefined ? label : `${label}: ${sample.slice(0, 30)}` }
  })
}
