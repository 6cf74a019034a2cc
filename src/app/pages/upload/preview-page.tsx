import { checkFile, type FilePreview, type LoadedFile } from "../../../actions/upload/preview.ts"
import { reportUpload } from "../../../actions/upload/report.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { CodePreview } from "../../../domain/upload/check-codes.ts"
import type { LinePreview } from "../../../domain/upload/daily.ts"
import { resultOf } from "../../../domain/upload/result.ts"
import { FIGURES, LISTED_MAX, type Role } from "../../../domain/upload/upload.ts"
import type { StoredUpload } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, type FormOf, type FormState } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { Badge, ButtonLink, Card, type Fact, Stats } from "../../parts/blocks.tsx"
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
  const questions = Object.fromEntries(
    [...preview.lines, ...preview.codes].flatMap((entry) =>
      entry.question === null ? [] : [[nameOf(entry), entry.question]],
    ),
  )
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
        <Stats facts={factsOf(kind, preview)} />
        {kind !== "affiliate_metrics" && <NamesCard visit={visit} upload={upload} loaded={loaded} preview={preview} />}
        <Entries address={address} preview={preview} />
        <RejectedRows rejected={preview.rejected.slice(0, LISTED_MAX)} count={preview.rejected.length} />
      </>
    ),
  })
}

const nameOf = (entry: LinePreview | CodePreview): string => ("items" in entry ? entry.line.packageId : entry.code)

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

function factsOf(kind: Parameters<typeof resultOf>[0], preview: FilePreview): Fact[] {
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
  readonly preview: FilePreview
}

/** The lines or codes with the button that reports them. Those with a question come first. */
function Entries({ address, preview }: EntriesProps) {
  const { lines, codes } = preview
  const asked = [...lines, ...codes].filter(({ question }) => question !== null).length
  const total = lines.reduce((sum, { items, question }) => sum + (question === null ? items.length : 0), 0)
  const hasSeveral = lines.some(({ items }) => items.length > 1)
  if (lines.length + codes.length === 0)
    return <p class="hint">Nothing in this file can be reported yet. Change how it’s read, or match its names.</p>
  const days = codes.filter(({ question }) => question === null).length
  const totals = hasSeveral ? formatCount(lines.length, "line") : formatCount(total, "total")
  const counted = lines.length > 0 ? totals : formatCount(days, "code")
  const note =
    asked === 0
      ? "Buyers see new totals at once."
      : `${formatCount(asked, "line needs", "lines need")} your tick, or won’t be reported.`
  return (
    <Form action={address} submit={asked === 0 ? `Report ${counted}` : "Report"} note={note} isLong>
      <Hidden name="digest" />
      {lines.length > 0 && (
        <Card title="Preview" count={formatCount(lines.length, "line")} isFlush>
          <Table caption="What each line’s total becomes" columns={LINE_COLUMNS} rows={inOrder(lines)} />
        </Card>
      )}
      {codes.length > 0 && (
        <Card title="Preview" count={formatCount(codes.length, "code")} isFlush>
          <Table caption="What happens to each code" columns={CODE_COLUMNS} rows={inOrder(codes)} />
        </Card>
      )}
    </Form>
  )
}

const inOrder = <Entry extends { readonly question: string | null }>(entries: readonly Entry[]): Entry[] =>
  entries.toSorted((a, b) => Number(a.question === null) - Number(b.question === null)).slice(0, LISTED_MAX)

const LINE_COLUMNS: readonly Column<LinePreview>[] = [
  {
    title: "Line",
    cell: ({ line }) => (
      <>
        {line.name}
        {line.externalId !== null && <small>{line.externalId}</small>}
      </>
    ),
  },
  { title: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) },
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
  { title: "Result", onPhone: "corner", cell: (preview) => <Result preview={preview} /> },
  {
    title: "Check",
    onPhone: "span",
    cell: ({ line }) => <Question name={line.packageId} label="Report it anyway" />,
  },
]

const Result = ({ preview: { question, effect } }: { readonly preview: LinePreview }) => {
  if (question !== null) return <Badge tone="warn">Check</Badge>
  if (effect === "changes") return <Badge tone="good">Will update</Badge>
  return <Badge tone="off">{effect === "older" ? "Older" : "No change"}</Badge>
}

const CODE_COLUMNS: readonly Column<CodePreview>[] = [
  { title: "Code", cell: ({ code }) => code },
  { title: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) },
  { title: "What happens", onPhone: "wide", cell: ({ text }) => text },
  { title: "Check", onPhone: "span", cell: ({ code }) => <Question name={code} label="Report it anyway" /> },
]
