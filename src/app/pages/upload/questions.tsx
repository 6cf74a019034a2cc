import type { FilePreview, LoadedFile } from "../../../actions/upload/preview.ts"
import { UNITS, type Unit } from "../../../domain/campaign/line.ts"
import { otherColumns } from "../../../domain/upload/reading.ts"
import { cellOf, type Row } from "../../../domain/upload/upload.ts"
import { CheckList, type Choice, Radios, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { useForm } from "../../parts/form.tsx"
import { ALL_OF, EACH_ROW, isOwn, NO_DAY } from "./answers.ts"
import { headingOf, lineChoices, nounOf } from "./open-upload.tsx"

interface QuestionsProps {
  /** The file as it's read with the answers in the form. */
  readonly loaded: LoadedFile
  /** What is in its rows, as daily figures if that's possible. */
  readonly checked: FilePreview
}

/** The questions about a file. Each kind of file has its own. */
export function Questions({ loaded, checked }: QuestionsProps) {
  const { kind } = loaded.reading
  const columns = columnChoices(loaded)
  const needed = [{ value: "", label: "Choose …" }, ...columns]
  const optional = [{ value: "", label: "None" }, ...columns]
  const days = needed.toSpliced(1, 0, { value: NO_DAY, label: "No column has the day" })
  const units = unitsOf(loaded)
  const lines = lineChoices(loaded).map(({ value, label }) => ({ value: ALL_OF + value, label: `All rows: ${label}` }))
  return (
    <>
      {kind !== "affiliate_metrics" && (
        <Select
          name="line"
          label="Which column has your lines?"
          hint={LINE_HINT}
          choices={[...needed, ...lines]}
          required
        />
      )}
      {kind === "delivery" && (
        <>
          <Select name="day" label="Which column has the day?" hint={DAY_HINT} choices={days} required />
          {units.map((unit) => (
            <Select
              name={unit}
              label={`Which column has the totals (${unit})?`}
              choices={units.length === 1 ? needed : optional}
              required={units.length === 1}
            />
          ))}
          <Radios name="figures" label="What are the rows?" choices={FIGURES_CHOICES} />
          <Field name="asOf" label="Measured at" hint={AS_OF_HINT} />
        </>
      )}
      {kind !== "delivery" && <Select name="code" label="Which column has the code?" choices={needed} required />}
      {kind === "affiliate_codes" && <Select name="slug" label="Which column has the slug?" choices={optional} />}
      {kind === "affiliate_metrics" && (
        <>
          <Select name="day" label="Which column has the day?" hint={CODE_DAY_HINT} choices={needed} required />
          <Select name="clicks" label="Which column has the clicks?" choices={optional} />
          <Select name="conversions" label="Which column has the conversions?" choices={optional} />
          <Select name="conversionValue" label="Which column has the value of the conversions?" choices={optional} />
        </>
      )}
      <div id="more" class="stack" data-updated>
        <FurtherQuestions loaded={loaded} checked={checked} />
      </div>
    </>
  )
}

/** Questions that only some files need, depending on the other answers. A script keeps them up to date. */
function FurtherQuestions({ loaded, checked }: QuestionsProps) {
  const { texts, errors } = useForm()
  const { open, reading } = loaded
  const noun = nounOf(reading.kind)
  const isAsked = (name: string, isOpen: boolean) => isOpen || (errors[name] ?? texts[name] ?? "") !== ""
  return (
    <>
      {isAsked("parts", checked.sameDay !== null && reading.figures !== "totals") && (
        <CheckList
          name="parts"
          label={`What tells rows of one ${noun} and day apart?`}
          hint="Adbooth adds up rows that differ in these columns, and rejects the others."
          choices={partChoices(loaded)}
        />
      )}
      {isAsked("withoutName", checked.withoutName.length > 0) && (
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

const FIRST_VALUE_CHARACTERS_MAX = 30

/** The columns with their first values. */
const columnChoices = ({ headings, rows }: LoadedFile): Choice[] =>
  headings.map((_, column) => {
    const first = rows.find((row) => cellOf(row, column) !== "")
    const value = first === undefined ? "" : `: ${cellOf(first, column).slice(0, FIRST_VALUE_CHARACTERS_MAX)}`
    return { value: String(column), label: headingOf(headings, column) + value }
  })

/** The units of the seller's lines, and those that were chosen before. */
function unitsOf({ lines, reading }: LoadedFile): readonly Unit[] {
  const isSold = (unit: Unit) => lines.some(({ pricingBasis, isArchived }) => pricingBasis === unit && !isArchived)
  const used = UNITS.filter((unit) => reading.columns[unit] !== undefined || isSold(unit))
  return used.length === 0 ? UNITS : used
}

const VALUES_SHOWN = 3

/** The columns that aren't the same in all rows of one line and day, with some of their values. Texts come first. */
function partChoices(loaded: LoadedFile): Choice[] {
  const { headings, rows, reading, onlyLine } = loaded
  const own = rows.filter(({ name }) => onlyLine !== null || isOwn(loaded, name))
  const groups = [...Map.groupBy(own, ({ name, day }) => `${day} ${name}`).values()]
  const choices = otherColumns(headings, reading.columns).flatMap((column) => {
    const valuesOf = (rows: readonly Row[]) => [...new Set(rows.map((row) => cellOf(row, column)))]
    if (groups.every((group) => valuesOf(group).length === 1)) return []
    const values = valuesOf(own).slice(0, VALUES_SHOWN)
    const note = values.map((value) => value || "(empty)").join(", ")
    return { value: String(column), label: headingOf(headings, column), note }
  })
  const isNumber = ({ note }: Choice) => !/\p{L}/u.test(note ?? "")
  choices.sort((a, b) => Number(isNumber(a)) - Number(isNumber(b)))
  return [
    ...choices,
    {
      value: EACH_ROW,
      label: "Nothing does",
      note: "Each row counts, also a repeated one. This is asked for each file.",
    },
  ]
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

const withoutNameChoices = (noun: string): readonly Choice[] => [
  { value: "skip", label: "Not mine", note: "They’re skipped." },
  {
    value: "stop",
    label: `Their ${noun} is missing`,
    note: "It’s in a merged cell, for example. Nothing that they could belong to is reported.",
  },
]
