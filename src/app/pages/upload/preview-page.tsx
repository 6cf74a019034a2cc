import { openFile } from "../../../actions/upload/answer.ts"
import { checkFile, digestOf, type FilePreview, type LoadedFile } from "../../../actions/upload/preview.ts"
import { reportUpload } from "../../../actions/upload/report.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FileEntry } from "../../../domain/upload/check.ts"
import { ourReading } from "../../../domain/upload/reading.ts"
import { skippedNames } from "../../../domain/upload/result.ts"
import type { Role, UploadKind } from "../../../domain/upload/upload.ts"
import type { StoredUpload } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, type FormOf, type FormState, newState } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { Badge, ButtonLink, Card, type Fact, Facts } from "../../parts/blocks.tsx"
import { Question } from "../../parts/choices.tsx"
import { Form, Hidden, PostButton } from "../../parts/form.tsx"
import { formatCount, formatDate, formatNumber } from "../../parts/format.tsx"
import type { Column } from "../../parts/table.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"
import { donePage } from "./done-page.tsx"
import { NamesCard } from "./names.tsx"
import { findUpload, headingOf, KIND_NAMES, keyOf, loadIn, uploadAddress, uploadTrail } from "./open-upload.tsx"
import { EntryTable, RejectedRows, SkippedNames } from "./outcome.tsx"

/** The preview of an open file, and the result page of a reported one. */
export const reportForm: FormOf<MemberVisit, StoredUpload> = {
  find: findUpload,
  view: previewPage,
  async save(visit, upload, texts) {
    const decision = { digest: texts["digest"] ?? "", confirmed: new Set(Object.keys(confirmationsIn(texts))) }
    const reported = await reportUpload(visit.context, visit.actor, keyOf(visit, upload), decision)
    // Pressing the button twice finds that the file was reported.
    if (reported !== "changed") return goTo(visit, uploadAddress(visit, upload))
    return previewPage(visit, upload, { ...newState(), notes: { "": CHANGED }, status: 409 })
  },
}

const CHANGED = "Something changed after you saw the preview. Nothing is reported yet, so check it again."

async function previewPage(visit: MemberVisit, upload: StoredUpload, form: FormState): Promise<Response> {
  const address = uploadAddress(visit, upload)
  const file = openFile(upload)
  if (file === null) return donePage(visit, upload)
  const { sheet, reading, rememberedAt } = file.answers
  if (sheet === null) return goTo(visit, `${address}/reading`)
  const loaded = await loadIn(visit, file)
  const preview = checkFile(loaded)
  if (Object.keys(preview.errors).length > 0) return goTo(visit, `${address}/reading`)
  const { kind } = reading
  const questions: Record<string, string> = {}
  for (const { key, question } of preview.entries) if (question !== null) questions[key] = question
  const readOn = rememberedAt === null ? "" : formatDate(dayOf(rememberedAt, visit.timeZone))
  return page(visit, {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${KIND_NAMES[kind]} · ${formatCount(loaded.rows.length, "row")} · nothing is reported yet`,
    actions: <ButtonLink kind="quiet danger" href={`${address}/discard`} label="Discard" isAsked />,
    form: { ...form, texts: { ...form.texts, digest: digestOf(preview) }, questions },
    hasTimes: true,
    body: (
      <>
        <Card title={rememberedAt === null ? "How it’s read" : `Read as on ${readOn}`}>
          <p>{readingInWords(loaded)}</p>
          <div class="actions">
            <ButtonLink isSmall href={`${address}/reading`} label="Change" />
            {rememberedAt !== null && <PostButton isSmall kind="quiet" action={`${address}/forget`} label="Forget" />}
          </div>
        </Card>
        <Facts isLarge facts={factsOf(kind, preview)} />
        {kind === "affiliate_metrics" ? (
          <SkippedNames names={skippedNames(preview.skipped)} count={skippedRows(preview)}>
            <p class="card-foot">
              If these codes are yours, <a href={`${homeOf(visit)}/affiliates`}>add them</a> and then come back here.
            </p>
          </SkippedNames>
        ) : (
          <NamesCard address={address} loaded={loaded} preview={preview} />
        )}
        <Entries address={address} kind={kind} entries={preview.entries} />
        <RejectedRows rejected={preview.rejected} count={preview.rejected.length} />
      </>
    ),
  })
}

/** "Line: Line item ID · Day: Date · Impressions: Delivered · Daily figures" */
function readingInWords({ reading, headings, onlyLine }: LoadedFile): string {
  const { kind, columns, figures, parts, withoutName } = reading
  const roles = Object.entries(columns) as [Role, number][]
  const words = roles.map(([role, column]) => `${roleInWords(role)}: ${headingOf(headings, column)}`)
  if (onlyLine !== null) words.unshift(`All rows: ${onlyLine.name}`)
  if (figures !== null) words.push(figures === "daily" ? "Daily figures" : "Totals so far")
  if (parts !== null && parts.length > 0 && ourReading(headings) === null)
    words.push(`Parts of a day: ${parts.map((column) => headingOf(headings, column)).join(", ")}`)
  if (parts?.length === 0) words.push("Rows of one day are all added up")
  if (withoutName === "skip") words.push(`Rows without a ${kind === "delivery" ? "line" : "code"} are skipped`)
  return words.join(" · ")
}

const roleInWords = (role: Role) =>
  role === "conversionValue" ? "Value" : role.charAt(0).toUpperCase() + role.slice(1)

function factsOf(kind: UploadKind, { entries, rejected, skipped, sums, empty }: FilePreview): Fact[] {
  const unit = kind === "delivery" ? "line" : "code"
  const certain = entries.filter(({ question }) => question === null)
  const changed = certain.filter(({ effect }) => effect === "changes").length
  const older = certain.filter(({ effect }) => effect === "older").length
  const asked = entries.length - certain.length
  const left: string[] = []
  if (sums > 0) left.push(formatCount(sums, "sum"))
  if (empty > 0) left.push(`${formatNumber(empty)} without a figure`)
  const leftOut: Fact = { term: "Left out", value: formatCount(sums + empty, "row"), note: left.join(", ") }
  return [
    { term: "Will update", value: formatCount(changed, unit) },
    { term: "Ask you first", value: formatCount(asked, unit), tone: asked > 0 ? "warn" : undefined },
    {
      term: "No change",
      value: formatCount(certain.length - changed, unit),
      note: older > 0 ? `${older} older than the current total` : "",
    },
    { term: "Rejected", value: formatCount(rejected.length, "row"), tone: rejected.length > 0 ? "bad" : undefined },
    { term: "Skipped, not yours", value: formatCount(skippedRows({ skipped }), "row") },
    ...(left.length > 0 ? [leftOut] : []),
  ]
}

const skippedRows = ({ skipped }: Pick<FilePreview, "skipped">) => [...skipped.values()].flat().length

interface EntriesProps {
  readonly address: string
  readonly kind: UploadKind
  readonly entries: readonly FileEntry[]
}

/** The lines or codes with the button that reports them. Those with a question come first. */
function Entries({ address, kind, entries }: EntriesProps) {
  if (entries.length === 0) {
    const or = kind === "affiliate_metrics" ? "add its codes" : "match its names"
    return <p class="hint">Nothing in this file can be reported yet. Change how it’s read, or {or}.</p>
  }
  const unit = kind === "delivery" ? "line" : "code"
  const inOrder = entries.toSorted((a, b) => Number(a.question === null) - Number(b.question === null))
  const asked = entries.filter(({ question }) => question !== null).length
  const needs = formatCount(asked, `${unit} needs`, `${unit}s need`)
  return (
    <Form
      action={address}
      submit={asked === 0 ? `Report ${formatCount(entries.length, unit)}` : "Report"}
      note={asked === 0 ? "Buyers see new totals at once." : `${needs} your tick, or won’t be reported.`}
      isLong
    >
      <Hidden name="digest" />
      <Card title="Preview" count={formatCount(entries.length, unit)} isFlush>
        <EntryTable caption={CAPTIONS[kind]} kind={kind} entries={inOrder} more={PREVIEW_COLUMNS} />
      </Card>
    </Form>
  )
}

const CAPTIONS = {
  delivery: "What each line’s total becomes",
  affiliate_codes: "What happens to each code",
  affiliate_metrics: "What happens to each code",
} as const

const BADGES = { changes: "Will update", unchanged: "No change", older: "Older" } as const

const PREVIEW_COLUMNS: readonly Column<FileEntry>[] = [
  {
    title: "Result",
    onPhone: "corner",
    cell({ question, effect }) {
      if (question !== null) return <Badge tone="warn" label="Check" />
      return <Badge tone={effect === "changes" ? "good" : "off"} label={BADGES[effect]} />
    },
  },
  { title: "Check", onPhone: "span", cell: ({ key }) => <Question name={key} label="Report it anyway" /> },
]
