import type { PreviewedUpload, RowOutcome, UploadKind } from "../../../actions/delivery/upload-figures.ts"
import type { CsvKind } from "../../../domain/csv/csv-rows.ts"
import { Badge, type Tone } from "../parts/badge.tsx"
import { Banner } from "../parts/banner.tsx"
import { ButtonLink } from "../parts/button-link.tsx"
import { HiddenInputs } from "../parts/form/form.tsx"
import { formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { questionText } from "../parts/question-text.ts"
import { type Column, Table } from "../parts/table/table.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { campaignsOf } from "./campaign.tsx"

const ROWS_SHOWN_MAX = 100

export interface UploadedFile {
  readonly kind: UploadKind
  readonly text: string
  readonly fileName: string
}

export interface UploadShown extends PreviewedUpload {
  readonly rows: readonly Record<string, unknown>[]
  readonly csv: CsvKind
}

type ShownRow = Readonly<{ number: number; cells: Readonly<Record<string, unknown>>; outcome: RowOutcome }>

const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/upload`

const isAsked = ({ outcome }: ShownRow) => (outcome.questions ?? []).length > 0

/** What each row would do, with the button to send them. `problem` says why they were not sent. */
export function previewPage(
  visit: OrganizationVisit,
  uploaded: UploadedFile,
  shown: UploadShown & { readonly problem: string | null },
): Response {
  const all = rowsOf(shown)
  const asked = all.filter(isAsked)
  const needsCheck = asked.length === 1 ? "1 row needs" : `${formatNumber(asked.length)} rows need`
  return headedPage(visit, {
    title: shown.problem === null ? "Preview" : "Error: Preview",
    heading: `Preview of ${uploaded.fileName}`,
    active: baseOf(visit),
    trail: [{ href: baseOf(visit), label: "Upload" }],
    status: shown.problem === null ? 200 : 422,
    intro: `Nothing is saved yet. ${countsText(all)}${asked.length > 0 ? ` ${needsCheck} a check.` : ""}`,
    body: (
      <>
        {shown.problem !== null && (
          <Banner tone="bad" live>
            <p>{shown.problem}</p>
          </Banner>
        )}
        <RowTable visit={visit} caption="What each row would do" rows={all} csv={shown.csv} />
        <SendForm visit={visit} uploaded={uploaded} answer={shown.answer} rows={all} />
      </>
    ),
  })
}

interface SendFormProps {
  readonly visit: OrganizationVisit
  readonly uploaded: UploadedFile
  readonly answer: string
  readonly rows: readonly ShownRow[]
}

function SendForm({ visit, uploaded, answer, rows }: SendFormProps) {
  const base = baseOf(visit)
  const accepted = rows.filter(({ outcome }) => outcome.accepted).length
  const asked = rows.filter(isAsked).length
  return (
    // Not URL-encoded: that would make the file up to three times as large when it is sent back.
    <form method="post" action={base} class="stack" enctype="multipart/form-data">
      <HiddenInputs values={{ kind: uploaded.kind, file_name: uploaded.fileName }} />
      <textarea name="text" hidden readonly aria-label="The file">
        {uploaded.text}
      </textarea>
      {answer !== "" && (
        <label class="choice">
          <input type="checkbox" name="answer" value={answer} required />
          <span>
            {asked === 1
              ? "I have checked the marked row. Report it anyway."
              : `I have checked the ${formatNumber(asked)} marked rows. Report them anyway.`}
          </span>
        </label>
      )}
      <div class="actions">
        {accepted > 0 && (
          <button type="submit" class="button primary">
            Report {formatNumber(accepted)} {accepted === 1 ? "row" : "rows"}
          </button>
        )}
        <ButtonLink href={base} label="Choose another file" />
      </div>
    </form>
  )
}

/** Results by row. */
export function resultPage(visit: OrganizationVisit, uploaded: UploadedFile, shown: UploadShown): Response {
  const all = rowsOf(shown)
  const rejected = all.filter(({ outcome }) => !outcome.accepted)
  const accepted = all.length - rejected.length
  const isGood = rejected.length === 0
  return headedPage(visit, {
    title: "Uploaded",
    heading: uploaded.fileName,
    active: baseOf(visit),
    trail: [{ href: baseOf(visit), label: "Upload" }],
    body: (
      <>
        <Banner tone={isGood ? "good" : "bad"} live>
          <p>
            {formatNumber(accepted)} of {rowCount(all.length)} accepted
            {rejected.length > 0 && `, ${formatNumber(rejected.length)} rejected`}. {countsText(all)}
          </p>
        </Banner>
        <RowTable visit={visit} caption="Results by row" rows={all} csv={shown.csv} />
        <div class="actions">
          <ButtonLink kind="primary" href={baseOf(visit)} label="Upload another file" />
          <ButtonLink href={campaignsOf(visit)} label="Campaigns" />
        </div>
      </>
    ),
  })
}

const rowCount = (count: number) => (count === 1 ? "1 row" : `${formatNumber(count)} rows`)

/** How many rows have which result: "3 rows: 2 will update, 1 refused." */
function countsText(rows: readonly ShownRow[]): string {
  const counts = new Map<string, number>()
  for (const { outcome } of rows) counts.set(outcome.label, (counts.get(outcome.label) ?? 0) + 1)
  const parts = [...counts].map(([label, count]) => `${formatNumber(count)} ${label.toLowerCase()}`)
  return `${rowCount(rows.length)}: ${parts.join(", ")}.`
}

function rowsOf({ outcomes, rows }: UploadShown): ShownRow[] {
  return outcomes.map((outcome, i) => ({ number: i + 1, cells: rows[i] ?? {}, outcome }))
}

type RowTableProps = Readonly<{ visit: OrganizationVisit; caption: string; rows: readonly ShownRow[]; csv: CsvKind }>

/** Rows with problems come first; only part of a large file is shown. */
function RowTable({ visit, caption, rows, csv }: RowTableProps) {
  const shown = [0, 1, 2].flatMap((wanted) => rows.filter((row) => urgency(row) === wanted)).slice(0, ROWS_SHOWN_MAX)
  return (
    <div class="stack">
      <Table caption={caption} columns={columnsFor(visit, csv)} rows={shown} rowKey={({ number }) => number} />
      {shown.length < rows.length && (
        <p class="soft">
          {formatNumber(shown.length)} of {formatNumber(rows.length)} rows are shown, those with problems first.
        </p>
      )}
    </div>
  )
}

function urgency(row: ShownRow): 0 | 1 | 2 {
  if (!row.outcome.accepted) return 0
  return isAsked(row) ? 1 : 2
}

function columnsFor({ organization }: OrganizationVisit, csv: CsvKind): Column<ShownRow>[] {
  return [
    { title: "Row", value: ({ number }) => number, numeric: true },
    {
      title: "Result",
      cell: (row) => (
        <>
          <Badge tone={toneOf(row)}>{row.outcome.label}</Badge> <span class="soft">{row.outcome.text}</span>
          {row.outcome.questions?.map((question) => (
            <div key={question.kind} class="asked">
              {questionText(question, row.outcome.total?.quantity ?? 0, organization.timeZone)}
            </div>
          ))}
        </>
      ),
    },
    ...(csv.columns.includes("package_id") ? TOTAL_COLUMNS : asInTheFile(csv)),
  ]
}

const TOTAL_COLUMNS: readonly Column<ShownRow>[] = [
  {
    title: "Line",
    cell: ({ cells, outcome }) => (
      <>
        {outcome.lineName}
        <div class="soft">{cellText(cells["package_id"])}</div>
      </>
    ),
  },
  { title: "Total before", value: totalBefore, numeric: true },
  {
    title: "New total",
    cell: ({ cells }) => [cells["impressions"], cells["downloads"]].map(cellText).filter(Boolean).join(" and "),
    numeric: true,
  },
  { title: "Measured", cell: ({ cells }) => <span class="as-typed">{cellText(cells["as_of"]) || "now"}</span> },
]

function asInTheFile({ columns, numbers }: CsvKind): Column<ShownRow>[] {
  return columns.map((title) => ({
    title,
    cell: ({ cells }: ShownRow) => cellText(cells[title]),
    numeric: title in numbers,
  }))
}

function totalBefore({ outcome: { before, total } }: ShownRow): string {
  if (total === undefined) return ""
  return before == null ? "none" : formatNumber(before.quantity)
}

function toneOf(row: ShownRow): Tone {
  if (!row.outcome.accepted) return "bad"
  if (isAsked(row)) return "warn"
  return row.outcome.changes ? "good" : "off"
}

function cellText(value: unknown): string {
  if (value === undefined) return ""
  return typeof value === "object" && value !== null && "text" in value ? String(value.text) : String(value)
}
