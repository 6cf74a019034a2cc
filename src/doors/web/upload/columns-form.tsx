import type { UploadedFile } from "../../../actions/upload/checked-row.ts"
import { chooseColumns } from "../../../actions/upload/decide.ts"
import { type FiguresExample, figuresExample } from "../../../actions/upload/read-anew.ts"
import { readPackageId } from "../../../domain/campaign/package-line.ts"
import { isDateOrder } from "../../../domain/time/typed-day.ts"
import { areOurs, figuresIn, namesLine, UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import { FIGURES, FIGURES_BY_ROWS, isUndecided, type Upload } from "../../../domain/upload/upload.ts"
import { type Errors, readForm, type SentForm } from "../form.ts"
import { Banner, Card } from "../parts/blocks.tsx"
import { Checkbox, Options, RadioCards, Select } from "../parts/form/choices.tsx"
import { Form } from "../parts/form/form.tsx"
import { formatCount, formatNumber, Time } from "../parts/format.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import { goTo } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { LeftOut } from "./left-out.tsx"
import { linesToChoose } from "./names.tsx"
import { addressOf, baseOf, changeBy, uploadPage, withOpenFile } from "./upload-page.tsx"

/** What the columns of a file mean, and what else there is to say about how it is read. With errors, the file has what was chosen. */
export async function columnsForm(visit: OrganizationVisit, file: UploadedFile, errors?: Errors) {
  const { upload, table } = file
  const { kind, choices } = upload
  const meanings = choices.columns ?? []
  const columns = columnsOf(file)
  const used = columns.filter(({ meaning }) => meaning !== "").length
  const isOurs = areOurs(kind, table.header, meanings)
  // The rows of some presets are one thing for certain; what was said of others may be said anew.
  const ofPreset = choices.preset ? FIGURES_BY_ROWS[choices.preset.rows] : undefined
  const asksFigures =
    (kind === "delivery" && ofPreset !== undefined) || isUndecided(kind, { ...choices, isOurs, figures: null })
  const example = asksFigures ? await figuresExample(visit.context, file) : null
  const address = addressOf(visit, upload)
  const said = {
    figures: choices.figures ?? ofPreset ?? "",
    dates: choices.dates ?? "",
    numbers: choices.numbers ?? "",
  }
  return [
    <LeftOut visit={visit} upload={upload} />,
    choices.readAsAt !== null && choices.figures === null && asksFigures && (
      <Banner tone="warn">
        <p>
          Files with these headings are read as single days since <Time at={choices.readAsAt} />, but figures of this
          one never fall from day to day, as totals so far do not. Please say again what they are.
        </p>
      </Banner>
    ),
    <Form
      action={`${address}/columns`}
      submit={choices.asks ? "Show what it will do" : "Read it so"}
      cancel={choices.asks ? baseOf(visit) : address}
      cancelLabel={choices.asks ? "Choose another file" : "Cancel"}
      values={{ ...said, line: choices.line ?? "" }}
      errors={errors ?? {}}
      saveNote="Nothing is reported yet."
    >
      <Card flush title="What do these columns mean?" count={`${formatCount(columns.length, "column")}, ${used} used`}>
        <BareTable caption="Columns of the file" columns={tableOf(upload)} rows={columns} />
      </Card>
      <Card label="How to read the file">
        {!namesLine(kind, meanings) && <Select {...(await lineOfAll(visit))} />}
        {asksFigures && <RadioCards name="figures" label="What are the figures?" choices={readingsOf(example)} />}
        {!choices.asks && <Select name="dates" label="Days such as 03/04/2026" choices={DATES} />}
        {!choices.asks && <Select name="numbers" label="Numbers such as 1.000" choices={NUMBERS} />}
        <Checkbox
          name="remember"
          label="Remember this for files with the same headings"
          hint="After this file is reported, the next one is read the same way. Its page says so."
          checked={errors === undefined || choices.remember}
        />
      </Card>
    </Form>,
  ]
}

const DATES = [
  { value: "", label: "As the other days of the file show" },
  { value: "day_first", label: "Day first: 3 April" },
  { value: "month_first", label: "Month first: 4 March" },
]
const NUMBERS = [
  { value: "", label: "As the other figures of the file show, or else asked" },
  { value: "grouped", label: "One thousand" },
  { value: "decimal", label: "One, with decimals" },
]

/** Exports of one show or one mailing do not name it in each row. */
async function lineOfAll(visit: OrganizationVisit) {
  return {
    name: "line",
    label: "Line of all rows",
    hint: "Or choose the column that names the line above.",
    choices: [{ value: "", label: "A column names it" }, ...(await linesToChoose(visit))],
  }
}

/** Both readings, with what a real line of the file would become: that is how people tell them apart. */
function readingsOf(example: FiguresExample | null) {
  const becomes = (total: number | null, otherwise: string) =>
    total === null
      ? otherwise
      : `${example?.name} becomes ${formatNumber(total)}${comparedWith(example?.now ?? null, total)}.`
  const unknown = "What was delivered before the first of its days is not known, or there is no column with the day."
  return [
    {
      value: "totals",
      label: "Each row is the total so far",
      note: becomes(example?.totals ?? null, "Everything delivered up to its day."),
    },
    {
      value: "daily",
      label: "Each row is one day",
      note: becomes(example?.daily ?? null, example === null ? "Rows are added up." : unknown),
    },
  ]
}

function comparedWith(now: number | null, total: number): string {
  if (now === null) return ""
  if (total < now) return `, lower than the ${formatNumber(now)} of now`
  return total === now ? ", as now" : `, ${formatNumber(total - now)} more than now`
}

const VALUES_SHOWN = 3
const VALUE_CHARACTERS_MAX = 30
// Enough to see what the columns of a file are.
const ROWS_LOOKED_AT = 200

type ShownColumn = ReturnType<typeof columnsOf>[number]

/** The columns of a file with their first values. */
function columnsOf({ upload: { kind, choices }, table: { header, rows } }: UploadedFile) {
  const meanings = choices.columns ?? []
  const perhaps = figuresIn(kind, header, meanings)
  return header.map((name, index) => {
    const texts = rows.slice(0, ROWS_LOOKED_AT).map(({ cells }) => (cells[index] ?? "").trim())
    const values = [...new Set(texts.filter(Boolean))].slice(0, VALUES_SHOWN)
    return {
      index,
      name,
      values: values.map((text) => text.slice(0, VALUE_CHARACTERS_MAX)),
      meaning: meanings[index] ?? "",
      perhaps: perhaps[index] ?? null,
    }
  })
}

function tableOf({ kind }: Upload): Column<ShownColumn>[] {
  const choices = [
    { value: "", label: "Ignore" },
    ...UPLOAD_FORMATS[kind].meanings.map(({ name, label }) => ({ value: name, label })),
  ]
  return [
    { title: "Column", cell: ({ name }) => <code>{name === "" ? "(no name)" : name}</code> },
    {
      title: "First rows",
      cell: ({ values }) => (
        <span class="samples">
          {values.map((value) => (
            <span>{value}</span>
          ))}
        </span>
      ),
    },
    {
      title: "Use as",
      cell: ({ index, name, meaning, perhaps }) => [
        <select name={`column_${index}`} aria-label={`Meaning of ${name === "" ? `column ${index + 1}` : name}`}>
          <Options choices={choices} chosen={meaning} />
        </select>,
        perhaps !== null && <small>Perhaps {perhaps}?</small>,
      ],
    },
  ]
}

/** The form is read first: other large files must not wait until it has arrived. */
export async function submitColumns(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  return withOpenFile((opened, file) => saveColumns(opened, file, form))(visit)
}

async function saveColumns(visit: OrganizationVisit, file: UploadedFile, form: SentForm): Promise<Response> {
  const { upload } = file
  const count = upload.choices.columns?.length ?? 0
  const columns = Array.from({ length: count }, (_, index) => form.text(`column_${index}`))
  const { figures, dates, numbers } = form.texts("figures", "dates", "numbers")
  const wishes = {
    columns,
    remember: form.has("remember"),
    figures: FIGURES.includes(figures) ? figures : null,
    line: readPackageId(form.text("line")) ?? null,
    dates: isDateOrder(dates) ? dates : null,
    numbers: numbers === "grouped" || numbers === "decimal" ? numbers : null,
  } as const
  const errors = await chooseColumns(visit.context, file, wishes, changeBy(visit))
  if (errors === null) return goTo(visit, addressOf(visit, upload))
  const chosen = { ...upload, choices: { ...upload.choices, ...wishes } }
  return uploadPage(visit, chosen, await columnsForm(visit, { ...file, upload: chosen }, errors))
}
