import { UNITS, type Unit } from "../../../domain/campaign/line.ts"
import type { Role, UploadKind } from "../../../domain/upload/upload.ts"
import type { FormState } from "../../forms/form.ts"
import { type Choice, Radios, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { headingOf, type OpenUpload } from "./find-upload.ts"
import { ALL_OF, NO_DAY } from "./read-answers.ts"

const CHOOSE = "Choose …"
const NONE = "None"

interface QuestionsProps {
  readonly open: OpenUpload
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
export function Questions({ open, form }: QuestionsProps) {
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
    "For the total of an episode so far, no column has it: Published isn’t the day it was measured."
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
