import { chooseSheet, saveAnswers } from "../../../actions/upload/answer.ts"
import { checkFile, loadFile, type OpenFile } from "../../../actions/upload/preview.ts"
import { UNITS, type Unit } from "../../../domain/campaign/line.ts"
import { LISTED_MAX, NOTHING_READ, type Role, UPLOAD_KINDS, type UploadKind } from "../../../domain/upload/upload.ts"
import { goTo } from "../../flash.ts"
import type { FormOf, FormState } from "../../form.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card } from "../../parts/blocks.tsx"
import { type Choice, Radios, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { formatCount } from "../../parts/format.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import { BothReadings } from "./both-readings.tsx"
import {
  headingOf,
  KIND_NAMES,
  keyOf,
  loadOpenUpload,
  type OpenUpload,
  uploadAddress,
  uploadTrail,
} from "./find-upload.ts"
import { FirstRows } from "./first-rows.tsx"
import { ALL_OF, NO_DAY, readAnswers, textsOf } from "./read-answers.ts"

/** The page on which a person says how a file is read. Without scripts, it shows both readings once it's sent. */
export const readingForm: FormOf<MemberVisit, OpenUpload> = {
  find: findOpenUpload,
  begin: (_, open) => ({ texts: textsOf(open) }),
  preview: async () => ({}),
  view: (visit, open, form) =>
    open.file.answers.sheet === null ? sheetPage(visit, open, form) : readingPage(visit, open, form),
  async save(visit, open, texts) {
    const { context } = visit
    const address = uploadAddress(visit, open.upload)
    const key = keyOf(visit, open.upload)
    if (texts["sheet"] !== undefined) {
      const isChosen = /^\d+$/.test(texts["sheet"]) && (await chooseSheet(context, key, Number(texts["sheet"])))
      return isChosen ? goTo(visit, address) : { errors: { sheet: "Choose a sheet." } }
    }
    const { answers, errors } = readAnswers(texts, open, visit)
    const isComplete = Object.keys(errors).length === 0
    const others = isComplete
      ? await saveAnswers(context, key, answers)
      : await checkAnswers(visit, { ...open.file, answers })
    if (others === null) throw new NotFound()
    const all = { ...others, ...errors }
    return Object.keys(all).length === 0 ? goTo(visit, address) : { errors: all }
  },
}

/** The address may choose another kind, another row of headings, or another sheet. */
async function findOpenUpload(visit: MemberVisit): Promise<OpenUpload> {
  const { searchParams } = visit.url
  const kind = UPLOAD_KINDS.find((each) => each === searchParams.get("kind"))
  const headerRow = Number(searchParams.get("headings"))
  const change = (file: OpenFile): OpenFile => {
    const { answers } = file
    const isOther =
      (kind !== undefined && kind !== answers.reading.kind) || (headerRow > 0 && headerRow !== answers.headerRow)
    const reading = isOther ? { ...NOTHING_READ, kind: kind ?? answers.reading.kind } : answers.reading
    const sheet = searchParams.has("sheets") ? null : answers.sheet
    return {
      ...file,
      answers: { ...answers, sheet, reading, headerRow: headerRow > 0 ? headerRow : answers.headerRow },
    }
  }
  const open = await loadOpenUpload(visit, change)
  if (open === null) throw new NotFound()
  return open
}

async function checkAnswers({ context, organization, now }: MemberVisit, file: OpenFile) {
  const loaded = await loadFile(context.database.read, organization.id, file, now)
  return checkFile(loaded, file.answers.reading.figures).errors
}

function sheetPage(visit: MemberVisit, { upload, file }: OpenUpload, form: FormState): Response {
  const choices = file.sheets.map(({ name, rows }, index) => {
    return { value: String(index), label: name, note: formatCount(rows.length, "row") }
  })
  return page(visit, {
    title: upload.fileName,
    trail: uploadTrail(visit),
    form,
    body: (
      <Form action={`${uploadAddress(visit, upload)}/reading`} submit="Read this sheet">
        <Radios name="sheet" label="Which sheet has the table?" choices={choices} />
      </Form>
    ),
  })
}

async function readingPage(visit: MemberVisit, open: OpenUpload, form: FormState): Promise<Response> {
  const { upload, file } = open
  const address = uploadAddress(visit, upload)
  const { kind } = file.answers.reading
  const { answers } = readAnswers(form.texts, open, visit)
  const { context, organization, now } = visit
  const answered = await loadFile(context.database.read, organization.id, { ...file, answers }, now)
  return page(visit, {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${KIND_NAMES[kind]} · ${formatCount(open.loaded.rows.length, "row")}`,
    actions: (
      <>
        {file.sheets.length > 1 && <ButtonLink kind="quiet" href={`${address}/reading?sheets`} label="Another sheet" />}
        <ButtonLink kind="quiet danger" href={`${address}/discard`} label="Discard" isAsked />
      </>
    ),
    form,
    body: (
      <>
        <Kinds visit={visit} kind={kind} />
        <Card title="First rows" isFlush>
          <FirstRows open={open} address={visit.url.pathname} />
        </Card>
        <Form
          action={visit.url.pathname + visit.url.search}
          submit="Show the preview"
          note="Nothing is reported yet."
          hasPreview
        >
          <Card title="How is it read?">
            <div class="stack">
              <Questions open={open} form={form} />
            </div>
          </Card>
          {kind === "delivery" && <BothReadings loaded={answered} lines={LISTED_MAX} />}
        </Form>
      </>
    ),
  })
}

interface KindsProps {
  readonly visit: MemberVisit
  readonly kind: string
}

const Kinds = ({ visit, kind }: KindsProps) => (
  <nav class="seg" aria-label="What the file has">
    {UPLOAD_KINDS.map((each) => (
      <a href={`${visit.url.pathname}?kind=${each}`} aria-current={each === kind ? "true" : undefined}>
        {KIND_NAMES[each]}
      </a>
    ))}
  </nav>
)

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

function Questions({ open, form }: QuestionsProps) {
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
  { value: "daily", label: "Daily figures", note: "Each row has what was delivered on its day. Adbooth adds them up." },
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
  const hint = "A line ID, your own ID or the name of a line. If no column has it, choose the line of all rows."
  return <Select name="line" label="Which column has your lines?" hint={hint} choices={choices} required />
}

function DayQuestion({ columns }: Pick<ColumnsProps, "columns">) {
  const choices = [{ value: "", label: CHOOSE }, { value: NO_DAY, label: "No column has the day" }, ...columns]
  const hint = "The day that the row was measured, not when something was published or sent."
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
