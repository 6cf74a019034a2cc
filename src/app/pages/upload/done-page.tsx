import { discardUpload, forgetHeadings } from "../../../actions/upload/answer.ts"
import { withdrawUpload } from "../../../actions/upload/report.ts"
import type { UploadResult } from "../../../domain/upload/result.ts"
import type { StoredUpload } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import type { Page } from "../../page.tsx"
import { Badge, Banner, ButtonLink, Card } from "../../parts/blocks.tsx"
import { formatCount, formatTime } from "../../parts/format.tsx"
import { type MemberVisit, orNotFound } from "../../visit.ts"
import { findUpload, keyOf, uploadAddress, uploadsAddress, uploadTrail } from "./open-upload.tsx"
import { EffectBadge, EntryTable, RejectedRows, SkippedNames } from "./outcome.tsx"

/** The outcome of a reported file. */
export function donePage(visit: MemberVisit, upload: StoredUpload): Page {
  const { reportedAt, rows, uploadedBy, result } = upload
  const isWithdrawn = upload.state === "withdrawn"
  const at = reportedAt === null ? "" : ` ${formatTime(reportedAt, visit)}`
  return {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${formatCount(rows, "row")} · reported${uploadedBy === null ? " by a program" : ""}${at}`,
    actions: <ButtonLink icon="upload" href={uploadsAddress(visit)} label="Upload another" />,
    hasTimes: true,
    body: (
      <>
        {isWithdrawn && (
          <Banner tone="info">
            The totals of this file are withdrawn. Each line’s page shows what it has now. Daily figures that were added
            to them later still contain them, so report all days again in one file.
          </Banner>
        )}
        {result === null ? (
          <p class="hint">The results of a file are kept for 90 days.</p>
        ) : (
          <Result result={JSON.parse(result) as UploadResult} isWithdrawn={isWithdrawn} />
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
  }
}

const mayWithdraw = ({ role, user }: MemberVisit, { state, uploadedBy, sourceId }: StoredUpload): boolean =>
  state === "reported" && sourceId !== null && (role === "admin" || uploadedBy === user.id)

interface ResultProps {
  readonly result: UploadResult
  readonly isWithdrawn: boolean
}

/** What a file did when it was reported. Later reports and withdrawals don't change it. */
function Result({ result: { entries, report }, isWithdrawn }: ResultProps) {
  return (
    <>
      {isWithdrawn ? (
        <p class="hint">Before it was withdrawn: {report.message}</p>
      ) : (
        <Banner tone={report.accepted > 0 ? "good" : "warn"} isCalm>
          {report.message}
        </Banner>
      )}
      {entries.length > 0 && (
        <Card title={isWithdrawn ? "What had changed" : "What changed"} isFlush>
          <EntryTable
            caption="The lines and codes in the file"
            kind={report.kind}
            entries={entries}
            more={[
              {
                title: "Result",
                onPhone: "corner",
                cell: ({ isReported, effect }) =>
                  isReported ? (
                    <EffectBadge effect={effect} changes="Updated" />
                  ) : (
                    <Badge tone="warn" label="Left out" />
                  ),
              },
              { title: "About", onPhone: "span", cell: ({ isReported, question }) => !isReported && question },
            ]}
          />
        </Card>
      )}
      <RejectedRows report={report} />
      <SkippedNames report={report} />
      {report.kind === "affiliate_metrics" && (
        <p class="hint">
          Affiliate figures can’t be withdrawn. To correct them, upload the right figures of the same days, which
          replace these.
        </p>
      )}
    </>
  )
}

export const withdrawUploadForm = askFirst<MemberVisit, StoredUpload>({
  async find(visit) {
    const upload = await findUpload(visit)
    return orNotFound(mayWithdraw(visit, upload) && upload)
  },
  ask: (visit, upload) => ({
    title: `Withdraw ${upload.fileName}?`,
    text: "All of its totals will be withdrawn. The history keeps them, and each line goes back to what it had before. If a later file repeats some of these totals, report that file again afterwards. If its daily figures were added to them, report all days again in one file.",
    submit: "Withdraw",
    cancel: uploadAddress(visit, upload),
    reason: "Buyers don’t see this.",
  }),
  async act(visit, upload, reason) {
    const { context, actor, role } = visit
    const by = { actor, isAdmin: role === "admin" }
    const withdrawn = await withdrawUpload(context, by, keyOf(visit, upload), reason)
    const text =
      typeof withdrawn === "string"
        ? "Nothing is left to withdraw."
        : `${formatCount(withdrawn.reports, "total")} of ${formatCount(withdrawn.lines, "line")} withdrawn.`
    return goTo(visit, uploadAddress(visit, upload), text)
  },
})

export const discardForm = askFirst<MemberVisit, StoredUpload>({
  async find(visit) {
    const upload = await findUpload(visit)
    return orNotFound(upload.state === "open" && upload)
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
  orNotFound(await forgetHeadings(visit.context, visit.actor, keyOf(visit, upload)))
  return goTo(visit, `${uploadAddress(visit, upload)}/reading`, "Forgotten.")
}
