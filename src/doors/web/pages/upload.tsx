import { type RowOutcome, type UploadKind, uploadFigures } from "../../../actions/upload-figures.ts"
import { AFFILIATE_METRICS_CSV, type CsvKind, DELIVERY_CSV } from "../../../domain/csv-rows.ts"
import { type Errors, readForm } from "../form.ts"
import { Badge, Heading } from "../parts/bits.tsx"
import { Field, Select } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { readRows } from "../read-csv.ts"
import { done, goTo, page, problem } from "../respond.ts"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"

const KINDS: Readonly<Record<UploadKind, { readonly label: string; readonly csv: CsvKind }>> = {
  delivery: { label: "Delivery totals", csv: DELIVERY_CSV },
  affiliate_metrics: { label: "Affiliate metrics", csv: AFFILIATE_METRICS_CSV },
}
const SHOWN_ROWS_MAX = 100

const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/upload`

function uploadPage(visit: OrganizationVisit, kind: string, errors: Errors): Response {
  const base = baseOf(visit)
  const choices = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))
  return page(visit, {
    title: "Upload",
    active: base,
    status: Object.keys(errors).length > 0 ? 422 : 200,
    body: (
      <>
        <Heading title="Upload">
          <p class="soft">
            Report many lines at once from a CSV file. You see what each row would do before it counts.
          </p>
        </Heading>
        <div class="columns">
          <section class="card">
            <Form action={`${base}/preview`} submit="Show a preview" errors={errors} multipart>
              <Select name="kind" label="What is in it" value={kind} choices={choices} errors={errors} />
              <Field name="file" label="CSV file" type="file" accept=".csv,text/csv" required errors={errors} />
            </Form>
          </section>
          <section class="card">
            <h2>What the file looks like</h2>
            <p class="soft">The first row names the columns, as the API names its fields. Other columns are ignored.</p>
            <Sample text={"package_id,impressions,as_of\n0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01,125000,2026-11-14"} />
            <Sample text={"code,date,clicks,conversions,conversionValue\nAUTUMN10,2026-11-14,120,4,199.95"} />
          </section>
        </div>
      </>
    ),
  })
}

interface Upload {
  readonly kind: UploadKind
  readonly text: string
  readonly fileName: string
}

function isKind(value: string): value is UploadKind {
  return Object.hasOwn(KINDS, value)
}

async function preview(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const kind = form.text("kind")
  const file = form.file("file")
  if (!isKind(kind)) return uploadPage(visit, "delivery", { kind: "Choose what is in the file." })
  if (file === null) return uploadPage(visit, kind, { file: "Choose a file." })
  const upload = { kind, text: await file.text(), fileName: file.name.slice(0, 100) }
  const read = readRows(KINDS[kind].csv, upload.text)
  if (!read.ok) return uploadPage(visit, kind, { file: read.problem })
  const outcomes = await uploadFigures(visit.context, reporterOf(visit, upload), kind, read.rows, { dryRun: true })
  return previewPage(visit, upload, read.rows, outcomes)
}

function reporterOf({ organization, person }: OrganizationVisit, { fileName }: Upload) {
  const source = { kind: "file", reference: String(person.userId), detail: fileName } as const
  return { organizationId: organization.id, source }
}

interface PreviewRow {
  readonly number: number
  readonly cells: Readonly<Record<string, unknown>>
  readonly outcome: RowOutcome
}

function previewPage(
  visit: OrganizationVisit,
  upload: Upload,
  rows: readonly Record<string, unknown>[],
  outcomes: readonly RowOutcome[],
): Response {
  const base = baseOf(visit)
  const all = outcomes.map((outcome, i): PreviewRow => ({ number: i + 1, cells: rows[i] ?? {}, outcome }))
  const refused = all.filter(({ outcome }) => !outcome.accepted)
  // What needs a look comes first; a large file is not shown whole.
  const shown = [...refused, ...all.filter(({ outcome }) => outcome.accepted)].slice(0, SHOWN_ROWS_MAX)
  const accepted = all.length - refused.length
  return page(visit, {
    title: "Preview",
    active: base,
    body: (
      <>
        <Heading title={`Preview of ${upload.fileName}`} trail={[{ href: base, label: "Upload" }]}>
          <p class="soft">
            Nothing is changed yet. {accepted} of {all.length} rows would be accepted
            {refused.length > 0 ? `, ${refused.length} refused` : ""}.
            {all.length > shown.length ? ` The first ${shown.length} are shown, refused ones on top.` : ""}
          </p>
        </Heading>
        <Table
          caption="What each row would do"
          columns={previewColumns(KINDS[upload.kind].csv)}
          rows={shown}
          rowKey={({ number }) => number}
        />
        <form method="post" action={base} class="actions">
          <input type="hidden" name="kind" value={upload.kind} />
          <input type="hidden" name="file_name" value={upload.fileName} />
          <textarea name="text" hidden readonly aria-label="The file">
            {upload.text}
          </textarea>
          {accepted > 0 && (
            <button type="submit" class="primary">
              Report {accepted} {accepted === 1 ? "row" : "rows"}
            </button>
          )}
          <a class="button" href={base}>
            Choose another file
          </a>
        </form>
      </>
    ),
  })
}

function previewColumns({ columns, numbers }: CsvKind): Column<PreviewRow>[] {
  return [
    { title: "Row", cell: ({ number }) => number, numeric: true },
    ...columns.map((title) => ({
      title,
      cell: ({ cells }: PreviewRow) => cellText(cells[title]),
      numeric: title in numbers,
    })),
    {
      title: "Would",
      cell: ({ outcome }) => (
        <>
          <Badge tone={outcome.accepted ? "good" : "bad"}>{outcome.code}</Badge>{" "}
          <span class="soft">{outcome.text}</span>
        </>
      ),
    },
  ]
}

function cellText(value: unknown): string {
  if (value === undefined) return ""
  return typeof value === "object" && value !== null && "text" in value ? String(value.text) : String(value)
}

async function confirm(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const kind = form.text("kind")
  const upload = { text: form.raw("text"), fileName: form.text("file_name").slice(0, 100) }
  if (!isKind(kind)) return uploadPage(visit, "delivery", { kind: "Choose what is in the file." })
  const read = readRows(KINDS[kind].csv, upload.text)
  if (!read.ok) return uploadPage(visit, kind, { file: read.problem })
  const reporter = reporterOf(visit, { ...upload, kind })
  const outcomes = await uploadFigures(visit.context, reporter, kind, read.rows, { dryRun: false })
  const accepted = outcomes.filter((outcome) => outcome.accepted).length
  const rest = outcomes.length - accepted
  const text = `${accepted} of ${outcomes.length} rows were accepted.`
  const first = outcomes.findIndex((outcome) => !outcome.accepted)
  const flash = rest === 0 ? done(text) : problem(`${text} Row ${first + 1}: ${outcomes[first]?.text ?? ""}`)
  return goTo(visit, baseOf(visit), flash)
}

function Sample({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <pre class="sample" tabIndex={0}>
      {text}
    </pre>
  )
}

export const uploadRoutes = [
  forMember("GET", "/app/o/:org/upload", (visit) => uploadPage(visit, "delivery", {})),
  forMember("POST", "/app/o/:org/upload/preview", preview),
  forMember("POST", "/app/o/:org/upload", confirm),
]
