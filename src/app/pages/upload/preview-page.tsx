import { checkFile, type FilePreview, type LoadedFile } from "../../../actions/upload/preview.ts"
import { reportUpload } from "../../../actions/upload/report.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { type FileEntry, resultOf } from "../../../domain/upload/result.ts"
import { FIGURES, LISTED_MAX, type Role, type UploadKind } from "../../../domain/upload/upload.ts"
import type { StoredUpload } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, type FormOf, type FormState } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { Badge, ButtonLink, Card, type Fact, Facts } from "../../parts/blocks.tsx"
import { Question } from "../../parts/choices.tsx"
import { Form, Hidden, PostButton } from "../../parts/form.tsx"
import { formatChange, formatCount, formatDate, formatNumber, Time } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import type { MemberVisit } from "../../visit.ts"
import { donePage } from "./done-page.tsx"
import {
  findUpload,
  headingOf,
  KIND_NAMES,
  keyOf,
  loadOpenUpload,
  RejectedRows,
  uploadAddress,
  uploadTrail,
} from "./find-upload.tsx"
import { NamesCard } from "./names.tsx"

/** The preview of an open file, and the result page of a reported one. */
export const reportForm: FormOf<MemberVisit, StoredUpload> = {
  find: findUpload,
  begin: () => ({ texts: {} }),
  view: (visit, upload, form) => (upload.state === "open" ? previewPage(visit, upload, form) : donePage(visit, upload)),
  async save(visit, upload, texts) {
    const confirmed = new Set(Object.keys(confirmationsIn(texts)))
    const decision = { digest: texts["digest"] ?? "", confirmed }
    const reported = await reportUpload(visit.context, visit.actor, keyOf(visit, upload), decision)
    // Pressing the button twice finds that the file was reported.
    if (reported !== "changed") return goTo(visit, uploadAddress(visit, upload))
    const form = { texts: {}, isSent: false, errors: {}, questions: {}, notes: { "": CHANGED }, status: 409 }
    return previewPage(visit, upload, form)
  },
}

const CHANGED = "Something changed after you saw the preview. Nothing is reported yet, so check it again."

async function previewPage(visit: MemberVisit, upload: StoredUpload, form: FormState): Promise<Response> {
  const address = uploadAddress(visit, upload)
  const open = await loadOpenUpload(visit)
  if (open === null) return goTo(visit, address)
  const { file, loaded } = open
  const preview = checkFile(loaded)
  if (file.answers.sheet === null || Object.keys(preview.errors).length > 0) return goTo(visit, `${address}/reading`)
  const { kind } = file.answers.reading
  const asked = preview.entries.flatMap(({ key, question }) => (question === null ? [] : [[key, question] as const]))
  const questions = Object.fromEntries(asked)
  const { rememberedAt } = file.answers
  return page(visit, {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${KIND_NAMES[kind]} · ${formatCount(loaded.rows.length, "row")} · nothing is reported yet`,
    actions: <ButtonLink kind="quiet danger" href={`${address}/discard`} label="Discard" isAsked />,
    form: { ...form, texts: { ...form.texts, digest: preview.digest }, questions },
    hasTimes: true,
    body: (
      <>
        <Card
          title={
            rememberedAt === null ? "How it’s read" : `Read as on ${formatDate(dayOf(rememberedAt, visit.timeZone))}`
          }
        >
          <p>{readingInWords(loaded)}</p>
          <div class="actions">
            <ButtonLink isSmall href={`${address}/reading`} label="Change" />
            {rememberedAt !== null && <PostButton isSmall kind="quiet" action={`${address}/forget`} label="Forget" />}
          </div>
        </Card>
        <Facts isLarge facts={factsOf(kind, preview)} />
        {kind !== "affiliate_metrics" && <NamesCard visit={visit} upload={upload} loaded={loaded} preview={preview} />}
        <Entries address={address} kind={kind} entries={preview.entries} />
        <RejectedRows rejected={preview.rejected.slice(0, LISTED_MAX)} count={preview.rejected.length} />
      </>
    ),
  })
}

const ROLE_NAMES: Partial<Record<Role, string>> = { line: "Line", day: "Day", conversionValue: "Value" }

/** "Line: Line item ID · Day: Date · Impressions: Delivered · Daily figures" */
function readingInWords({ answers, headings, onlyLine }: LoadedFile): string {
  const { columns, figures, withoutCode } = answers.reading
  const roles = Object.entries(columns) as [Role, number][]
  const ofColumns = roles.map(
    ([role, column]) => `${ROLE_NAMES[role] ?? capitalized(role)}: ${headingOf(headings, column)}`,
  )
  const words = figures === null ? [] : [figures === FIGURES[1] ? "Daily figures" : "Totals so far"]
  if (withoutCode === "skip") words.push("Rows without a code are skipped")
  return [...(onlyLine === null ? [] : [`All rows: ${onlyLine.name}`]), ...ofColumns, ...words].join(" · ")
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function factsOf(kind: UploadKind, preview: FilePreview): Fact[] {
  const { changed, leftOut, unchanged, older, rejected, skipped, sums, empty } = resultOf(
    kind,
    preview,
    ({ question }) => question === null,
  )
  const unit = kind === "delivery" ? "line" : "code"
  const left = [sums > 0 && formatCount(sums, "sum"), empty > 0 && `${formatNumber(empty)} without a figure`].filter(
    Boolean,
  )
  return [
    { term: "Will update", value: formatCount(changed, unit) },
    { term: "Ask you first", value: formatCount(leftOut, unit), tone: leftOut > 0 ? "warn" : undefined },
    {
      term: "No change",
      value: formatCount(unchanged + older, unit),
      note: older > 0 ? `${older} older than the current total` : "",
    },
    { term: "Rejected", value: formatCount(rejected, "row"), tone: rejected > 0 ? "bad" : undefined },
    { term: "Skipped, not yours", value: formatCount(skipped, "row") },
    ...(sums + empty > 0 ? [{ term: "Left out", value: formatCount(sums + empty, "row"), note: left.join(", ") }] : []),
  ]
}

interface EntriesProps {
  readonly address: string
  readonly kind: UploadKind
  readonly entries: readonly FileEntry[]
}

/** The lines or codes with the button that reports them. Those with a question come first. */
function Entries({ address, kind, entries }: EntriesProps) {
  if (entries.length === 0)
    return <p class="hint">Nothing in this file can be reported yet. Change how it’s read, or match its names.</p>
  const unit = kind === "delivery" ? "line" : "code"
  const asked = entries.filter(({ question }) => question !== null).length
  const note =
    asked === 0
      ? "Buyers see new totals at once."
      : `${formatCount(asked, `${unit} needs`, `${unit}s need`)} your tick, or won’t be reported.`
  const inOrder = entries.toSorted((a, b) => Number(a.question === null) - Number(b.question === null))
  return (
    <Form
      action={address}
      submit={asked === 0 ? `Report ${formatCount(entries.length, unit)}` : "Report"}
      note={note}
      isLong
    >
      <Hidden name="digest" />
      <Card title="Preview" count={formatCount(entries.length, unit)} isFlush>
        <Table
          caption={kind === "delivery" ? "What each line’s total becomes" : "What happens to each code"}
          columns={kind === "delivery" ? LINE_COLUMNS : CODE_COLUMNS}
          rows={inOrder.slice(0, LISTED_MAX)}
        />
      </Card>
    </Form>
  )
}

const NAME: Column<FileEntry> = {
  title: "Name",
  cell: ({ name, externalId }) => (
    <>
      {name}
      {externalId !== null && <small>{externalId}</small>}
    </>
  ),
}
const ROWS: Column<FileEntry> = { title: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) }
const CHECK: Column<FileEntry> = {
  title: "Check",
  onPhone: "span",
  cell: ({ key }) => <Question name={key} label="Report it anyway" />,
}

const LINE_COLUMNS: readonly Column<FileEntry>[] = [
  { ...NAME, title: "Line" },
  ROWS,
  {
    title: "Current total",
    isNumber: true,
    cell: ({ before }) => (before === null ? "–" : formatNumber(before.quantity)),
  },
  {
    title: "New total",
    isNumber: true,
    cell: ({ after }) => <b>{after === null ? "–" : formatNumber(after.quantity)}</b>,
  },
  {
    title: "Change",
    isNumber: true,
    cell: ({ before, after }) => formatChange((after?.quantity ?? 0) - (before?.quantity ?? 0)),
  },
  { title: "Measured", cell: ({ after }) => after !== null && <Time at={after.asOf} /> },
  { title: "Result", onPhone: "corner", cell: (entry) => <Result entry={entry} /> },
  CHECK,
]

const Result = ({ entry: { question, effect } }: { readonly entry: FileEntry }) => {
  if (question !== null) return <Badge tone="warn">Check</Badge>
  if (effect === "changes") return <Badge tone="good">Will update</Badge>
  return <Badge tone="off">{effect === "older" ? "Older" : "No change"}</Badge>
}

const CODE_COLUMNS: readonly Column<FileEntry>[] = [
  { ...NAME, title: "Code" },
  ROWS,
  { title: "What happens", onPhone: "wide", cell: ({ text }) => text },
  CHECK,
]
