import { discardUpload, forgetHeadings } from "../../../actions/upload/answer.ts"
import { withdrawUpload } from "../../../actions/upload/report.ts"
import { type ListedEntry, resultInWords, type SkippedName, type UploadResult } from "../../../domain/upload/result.ts"
import { resultOf, type StoredUpload } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { page } from "../../page.tsx"
import { Badge, Banner, ButtonLink, Card } from "../../parts/blocks.tsx"
import { formatChange, formatCount, formatNumber, formatTime } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import { findUpload, keyOf, RejectedRows, uploadAddress, uploadsAddress, uploadTrail } from "./find-upload.tsx"

/** The outcome of a reported file. */
export async function donePage(visit: MemberVisit, upload: StoredUpload): Promise<Response> {
  const { read, organization } = visit
  const json = await resultOf(read, organization.id, upload.id)
  const result = json === null ? null : (JSON.parse(json) as UploadResult)
  const { reportedAt, rows, uploadedBy } = upload
  const isWithdrawn = upload.state === "withdrawn"
  const at = reportedAt === null ? "" : ` ${formatTime(reportedAt, visit)}`
  return page(visit, {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${formatCount(rows, "row")} · reported${uploadedBy === null ? " by a program" : ""}${at}`,
    actions: <ButtonLink icon="upload" href={uploadsAddress(visit)} label="Upload another" />,
    hasTimes: true,
    body: (
      <>
        {isWithdrawn && (
          <Banner tone="info">
            The totals of this file are withdrawn and no longer count. Each line’s page shows what it has now.
          </Banner>
        )}
        {result === null ? (
          <p class="hint">The results of a file are kept for 90 days.</p>
        ) : (
          <Result result={result} isWithdrawn={isWithdrawn} />
        )}
        {mayWithdraw(visit, upload) && (
          <Card title="Was something wrong?">
            <p>
              All totals of this file are withdrawn together. The history keeps them, and each line goes back to what it
              had before.
            </p>
            <ButtonLink
              kind="danger"
              href={`${uploadAddress(visit, upload)}/withdraw`}
              label="Withdraw this upload"
              isAsked
            />
          </Card>
        )}
      </>
    ),
  })
}

const mayWithdraw = ({ role, user }: MemberVisit, { state, uploadedBy, sourceId }: StoredUpload): boolean =>
  state === "reported" && sourceId !== null && (role === "admin" || uploadedBy === user.id)

interface ResultProps {
  readonly result: UploadResult
  readonly isWithdrawn: boolean
}

/** What a file did when it was reported. Later reports and withdrawals don't change it. */
function Result({ result, isWithdrawn }: ResultProps) {
  const { entries, rejected, rejectedRows, skippedNames } = result
  return (
    <>
      {isWithdrawn ? (
        <p class="hint">Before it was withdrawn: {resultInWords(result)}</p>
      ) : (
        <Banner tone={result.reported > 0 ? "good" : "warn"} isCalm>
          {resultInWords(result)}
        </Banner>
      )}
      {entries.length > 0 && (
        <Card title={isWithdrawn ? "What had changed" : "What changed"} isFlush>
          <Table caption="The lines and codes in the file" columns={ENTRY_COLUMNS} rows={entries} />
        </Card>
      )}
      <RejectedRows rejected={rejectedRows} count={rejected} />
      {skippedNames.length > 0 && (
        <Card title="Skipped, not yours" count={formatCount(result.skipped, "row")} isFlush>
          <Table caption="Names that aren’t your lines" columns={SKIPPED_COLUMNS} rows={skippedNames} />
        </Card>
      )}
    </>
  )
}

const ENTRY_COLUMNS: readonly Column<ListedEntry>[] = [
  { title: "Name", cell: ({ name }) => name },
  { title: "Before", isNumber: true, cell: ({ before }) => (before === null ? "–" : formatNumber(before.quantity)) },
  {
    title: "After",
    isNumber: true,
    cell: ({ after }) => (after === null ? "–" : <b>{formatNumber(after.quantity)}</b>),
  },
  {
    title: "Change",
    isNumber: true,
    cell: ({ before, after }) => (after === null ? "–" : formatChange(after.quantity - (before?.quantity ?? 0))),
  },
  { title: "Result", onPhone: "corner", cell: ({ effect }) => <Effect effect={effect} /> },
  { title: "About", onPhone: "span", cell: ({ text }) => text },
]

const EFFECTS = {
  changes: ["good", "Updated"],
  unchanged: ["off", "No change"],
  older: ["off", "Older"],
  "left out": ["warn", "Left out"],
} as const

const Effect = ({ effect }: Pick<ListedEntry, "effect">) => {
  const [tone, label] = EFFECTS[effect]
  return <Badge tone={tone}>{label}</Badge>
}

const SKIPPED_COLUMNS: readonly Column<SkippedName>[] = [
  { title: "Name in the file", cell: ({ name }) => name },
  { title: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) },
  { title: "First row", isNumber: true, cell: ({ firstRow }) => formatNumber(firstRow) },
]

export const withdrawUploadForm = askFirst<MemberVisit, StoredUpload>({
  async find(visit) {
    const upload = await findUpload(visit)
    if (!mayWithdraw(visit, upload)) throw new NotFound()
    return upload
  },
  ask: (visit, upload) => ({
    title: `Withdraw ${upload.fileName}?`,
    text: "All of its totals will be withdrawn. The history keeps them, and each line goes back to what it had before. If a later file repeats some of these totals, report that file again afterwards.",
    submit: "Withdraw",
    cancel: uploadAddress(visit, upload),
    reason: "Buyers don’t see this.",
  }),
  async act(visit, upload, reason) {
    const { context, actor, role } = visit
    const by = { actor, isAdmin: role === "admin" }
    const withdrawn = await withdrawUpload(context, by, keyOf(visit, upload), reason)
    if (withdrawn === "not allowed" || withdrawn === "not found")
      return goTo(visit, uploadAddress(visit, upload), "Nothing is left to withdraw.")
    const { reports, lines } = withdrawn
    const text = `${formatCount(reports, "total")} of ${formatCount(lines, "line")} withdrawn.`
    return goTo(visit, uploadAddress(visit, upload), text)
  },
})

export const discardForm = askFirst<MemberVisit, StoredUpload>({
  async find(visit) {
    const upload = await findUpload(visit)
    if (upload.state !== "open") throw new NotFound()
    return upload
  },
  ask: (visit, upload) => ({
    title: `Discard ${upload.fileName}?`,
    text: "Nothing was reported or remembered.",
    submit: "Discard",
    cancel: uploadAddress(visit, upload),
  }),
  async act(visit, upload) {
    await discardUpload(visit.context, visit.actor, keyOf(visit, upload))
    return goTo(visit, uploadsAddress(visit), `${upload.fileName} was discarded.`)
  },
})

/** Forgets how files like this one are read, and asks again. */
export async function forgetReading(visit: MemberVisit): Promise<Response> {
  const upload = await findUpload(visit)
  if (!(await forgetHeadings(visit.context, visit.actor, keyOf(visit, upload)))) throw new NotFound()
  return goTo(visit, `${uploadAddress(visit, upload)}/reading`, "Forgotten.")
}
