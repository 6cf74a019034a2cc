import { openFile } from "../../../actions/upload/answer.ts"
import {
  checkFile,
  digestOf,
  type FilePreview,
  type LoadedFile,
  type OpenFile,
} from "../../../actions/upload/preview.ts"
import { reportUpload } from "../../../actions/upload/report.ts"
import { hasErrors } from "../../../domain/errors.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FileEntry } from "../../../domain/upload/check.ts"
import { ourReading } from "../../../domain/upload/reading.ts"
import { type FileReport, resultOf } from "../../../domain/upload/result.ts"
import type { UploadKind } from "../../../domain/upload/upload.ts"
import type { StoredUpload } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, type FormOf, type FormState } from "../../forms/form.ts"
import { Badge, ButtonLink, Card, type Fact, Facts } from "../../parts/blocks.tsx"
import { Question } from "../../parts/choices.tsx"
import { Form, Hidden, PostButton } from "../../parts/form.tsx"
import { capitalized, dotted, formatCount, formatDate, formatNumber } from "../../parts/format.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"
import { donePage } from "./done-page.tsx"
import { NamesCard } from "./names.tsx"
import { findUpload, headingOf, KIND_NAMES, keyOf, loadIn, nounOf, uploadAddress, uploadTrail } from "./open-upload.tsx"
import { EffectBadge, EntryTable, RejectedRows, SkippedNames } from "./outcome.tsx"

/** The preview of an open file, and the result page of a reported one. */
export const reportForm: FormOf<MemberVisit, StoredUpload> = {
  find: findUpload,
  view(visit, upload, form) {
    const file = openFile(upload)
    return file === null ? donePage(visit, upload) : previewPage(visit, upload, file, form)
  },
  async save(visit, upload, texts) {
    const decision = { digest: texts["digest"] ?? "", confirmed: new Set(Object.keys(confirmationsIn(texts))) }
    const reported = await reportUpload(visit.context, visit.actor, keyOf(visit, upload), decision)
    if (reported === "changed") return { notes: { "": CHANGED }, status: 409 }
    // Pressing the button twice finds that the file was reported.
    return goTo(visit, uploadAddress(visit, upload))
  },
}

const CHANGED = "Something changed after you saw the preview. Nothing is reported yet, so check it again."

async function previewPage(visit: MemberVisit, upload: StoredUpload, file: OpenFile, form: FormState) {
  const address = uploadAddress(visit, upload)
  const { sheet, reading, rememberedAt } = file.answers
  const loaded = await loadIn(visit, file)
  const preview = checkFile(loaded)
  if (sheet === null || hasErrors(preview.errors)) return goTo(visit, `${address}/reading`)
  const { kind } = reading
  const { report } = resultOf({ name: upload.fileName, kind, isDryRun: true }, preview, isCertain)
  const questions = preview.entries.flatMap(({ key, question }) => (question === null ? [] : [[key, question]]))
  const readOn = rememberedAt === null ? "" : formatDate(dayOf(rememberedAt, visit.timeZone))
  return {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${KIND_NAMES[kind]} · ${formatCount(loaded.rows.length, "row")} · nothing is reported yet`,
    actions: <ButtonLink kind="quiet danger" href={`${address}/discard`} label="Discard" isAsked />,
    form: {
      ...form,
      texts: { ...form.texts, digest: digestOf(preview) },
      questions: Object.fromEntries(questions),
    },
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
        <Facts isLarge facts={factsOf(report, preview)} />
        {kind === "affiliate_metrics" ? (
          <SkippedNames report={report}>
            <p class="card-foot">
              If these codes are yours, <a href={`${homeOf(visit)}/affiliates`}>add them</a> and then come back here.
            </p>
          </SkippedNames>
        ) : (
          <NamesCard address={address} loaded={loaded} preview={preview} />
        )}
        <Entries kind={kind} entries={preview.entries} />
        <RejectedRows report={report} />
      </>
    ),
  }
}

const isCertain = ({ question }: FileEntry) => question === null

/** "Line: Line item ID · Day: Date · Impressions: Delivered · Daily figures" */
function readingInWords({ reading, headings, onlyLine }: LoadedFile): string {
  const { kind, columns, figures, parts, withoutName } = reading
  const words = Object.entries(columns).map(([role, column]) => {
    return `${role === "conversionValue" ? "Value" : capitalized(role)}: ${headingOf(headings, column)}`
  })
  if (onlyLine !== null) words.unshift(`All rows: ${onlyLine.name}`)
  if (figures !== null) words.push(figures === "daily" ? "Daily figures" : "Totals so far")
  if (parts?.length === 0) words.push("Rows of one day are all added up")
  else if (parts !== null && ourReading(headings) === null)
    words.push(`Parts of a day: ${parts.map((column) => headingOf(headings, column)).join(", ")}`)
  if (withoutName === "skip") words.push(`Rows without a ${nounOf(kind)} are skipped`)
  return dotted(...words)
}

function factsOf(report: FileReport, { sums, empty }: FilePreview): (Fact | false)[] {
  const { kind, changed, left_out, unchanged, older_than_current: older, rejected, skipped } = report
  const noun = nounOf(kind)
  return [
    { term: "Will update", value: formatCount(changed, noun) },
    { term: "Ask you first", value: formatCount(left_out, noun), tone: left_out > 0 ? "warn" : undefined },
    {
      term: "No change",
      value: formatCount(unchanged + older, noun),
      note: older > 0 && `${older} older than the current total`,
    },
    { term: "Rejected", value: formatCount(rejected, "row"), tone: rejected > 0 ? "bad" : undefined },
    { term: "Skipped, not yours", value: formatCount(skipped, "row") },
    sums > 0 && { term: "Left out", value: formatCount(sums, "row"), note: formatCount(sums, "sum") },
    empty > 0 && {
      term: "Left out",
      value: formatCount(empty, "row"),
      note: `${formatNumber(empty)} without a figure`,
    },
  ]
}

const SEEN_AT_ONCE = "Buyers see new totals at once."

interface EntriesProps {
  readonly kind: UploadKind
  readonly entries: readonly FileEntry[]
}

/** The lines or codes with the button that reports them. Those with a question come first. */
function Entries({ kind, entries }: EntriesProps) {
  if (entries.length === 0) {
    const or = kind === "affiliate_metrics" ? "add its codes" : "match its names"
    return <p class="hint">Nothing in this file can be reported yet. Change how it’s read, or {or}.</p>
  }
  const noun = nounOf(kind)
  const certain = entries.filter(isCertain)
  const asked = entries.filter((entry) => !isCertain(entry))
  const isAsked = asked.length > 0
  const changes = entries.some(({ effect }) => effect === "changes")
  const needs = formatCount(asked.length, `${noun} needs`, `${noun}s need`)
  return (
    <Form
      submit={isAsked ? "Report" : `Report ${formatCount(entries.length, noun)}`}
      note={isAsked ? `${needs} your tick, or won’t be reported.` : changes ? SEEN_AT_ONCE : "No total changes."}
      isLong
    >
      <Hidden name="digest" />
      <Card title="Preview" count={formatCount(entries.length, noun)} isFlush>
        <EntryTable
          caption={kind === "delivery" ? "What each line’s total becomes" : "What happens to each code"}
          kind={kind}
          entries={[...asked, ...certain]}
          more={[
            {
              title: "Result",
              onPhone: "corner",
              cell: ({ question, effect }) =>
                question === null ? (
                  <EffectBadge effect={effect} changes="Will update" />
                ) : (
                  <Badge tone="warn" label="Check" />
                ),
            },
            { title: "Check", onPhone: "span", cell: ({ key }) => <Question name={key} label="Report it anyway" /> },
          ]}
        />
      </Card>
    </Form>
  )
}
