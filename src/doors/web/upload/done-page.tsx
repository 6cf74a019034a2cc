import { mayWithdrawUpload, withdrawUpload } from "../../../actions/upload/withdraw-upload.ts"
import { LINES_ON_A_PAGE, type Upload } from "../../../domain/upload/upload.ts"
import type { PageAnswer } from "../guards.ts"
import { homeOf } from "../home/page.tsx"
import { Banner, ButtonLink, Card } from "../parts/blocks.tsx"
import { formatCount, formatNumber, Time } from "../parts/format.tsx"
import { BareTable, type Column, offsetOf, Pages } from "../parts/table.tsx"
import { done, goTo } from "../respond.tsx"
import { type ChangedLine, changeColumns, changeTotals, grownBy } from "../totals/what-changed.tsx"
import { withdrawerOf, withdrawRoutes } from "../totals/withdraw-routes.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { Problems } from "./left-out.tsx"
import { NotYours, namesIn } from "./names.tsx"
import { noteOf, storedLines } from "./preview-page.tsx"
import { addressOf, baseOf, type OfUpload, uploadPage, withUpload } from "./upload-page.tsx"

type DoneProps = OfUpload & { readonly changed: readonly ChangedLine[] }

export async function donePage(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const counts = upload.kind === "delivery" && upload.summary.withdrawn === null
  const changed = counts ? await changedLines(visit, upload) : []
  const body = [
    <Outcome visit={visit} upload={upload} changed={changed} />,
    counts && <WhatChanged visit={visit} upload={upload} changed={changed} />,
    <Problems visit={visit} upload={upload} />,
    <NotYours visit={visit} upload={upload} {...(await namesIn(visit, upload))} />,
    <WasItWrong visit={visit} upload={upload} />,
  ]
  return uploadPage(visit, upload, body)
}

function Outcome({ visit, upload, changed }: DoneProps) {
  const { kind, summary } = upload
  const { reported, leftOut, refused, ignored, withdrawn, update } = summary
  if (withdrawn !== null) {
    return (
      <Banner tone="info">
        <h2>This upload was withdrawn</h2>
        <p>
          {formatCount(withdrawn.reports, "total")} of {formatCount(withdrawn.lines, "line")} no longer count. Withdrawn{" "}
          <Time at={withdrawn.at} />.
        </p>
      </Banner>
    )
  }
  const title =
    kind !== "delivery"
      ? formatCount(reported, "row saved", "rows saved")
      : update.lines === 0
        ? "Nothing changed"
        : formatCount(update.lines, "total reported", "totals reported")
  const isChanged = kind !== "delivery" || update.lines > 0
  const stored = `${formatCount(reported, "row")} ${isChanged ? "reported" : "already known, or older than the current totals"}`
  const rest = [
    ...(refused > 0 ? [`${formatNumber(refused)} refused`] : []),
    ...(leftOut > 0 ? [`${formatNumber(leftOut)} left out, not confirmed`] : []),
  ]
  // Of more lines than a page has, nobody sees the others here.
  const grown = update.lines > LINES_ON_A_PAGE ? "" : grownBy(changed)
  return (
    <Banner tone={rest.length === 0 ? "good" : "warn"} live>
      <h2>{title}</h2>
      <p>
        {[stored, ...rest].join(", ")}.{ignored > 0 && ` ${formatCount(ignored, "row")} ignored, not yours or sums.`}
        {grown !== "" && ` Value delivered rose by ${grown}.`}
      </p>
      <div class="actions">
        <ButtonLink kind="primary" href={homeOf(visit)} label="Back to Today" />
      </div>
    </Banner>
  )
}

/** The lines that have a new total. */
async function changedLines(visit: OrganizationVisit, upload: Upload): Promise<ChangedLine[]> {
  const lines = (await visit.context.store.uploads.lines(upload.id)) ?? []
  const offset = offsetOf(visit.url, "from")
  const shown = lines.filter(({ result }) => result === "update").slice(offset, offset + LINES_ON_A_PAGE)
  const stored = await storedLines(visit, shown)
  return shown.flatMap(({ id, name = "", ref = "", before = null, total }) => {
    const line = stored.get(id)
    return total ? [{ id, name, note: noteOf(line, ref), line, before, total }] : []
  })
}

function WhatChanged({ visit, upload, changed }: DoneProps) {
  const count = upload.summary.update.lines
  if (changed.length === 0) return null
  return [
    <Card flush title="What changed" count={formatCount(upload.summary.update.lines, "line")}>
      <BareTable
        caption="The lines with a new total"
        columns={[...changeColumns(visit), AS_OF]}
        rows={changed}
        totals={count > LINES_ON_A_PAGE ? undefined : changeTotals(changed)}
      />
    </Card>,
    <Pages url={visit.url} perPage={LINES_ON_A_PAGE} count={count} what="lines" />,
  ]
}

const AS_OF: Column<ChangedLine> = {
  title: "As of",
  nowrap: true,
  narrow: "large",
  cell: ({ total }) => <Time at={total.asOf} />,
}

function WasItWrong({ visit, upload }: OfUpload) {
  if (!mayWithdrawUpload(upload, withdrawerOf(visit))) return null
  const href = `${addressOf(visit, upload)}/withdraw`
  return (
    <Card
      title="Was something wrong?"
      actions={<ButtonLink kind="quiet danger" href={href} label="Withdraw this upload" />}
    >
      <p class="hint">
        Withdrawing takes back all its totals. The history keeps them as withdrawn. Then the file can be uploaded again
        and read in another way.
      </p>
    </Card>
  )
}

/** Answers with a file that the visitor may take back; otherwise with the file as it is. */
const withMine = (answer: (visit: OrganizationVisit, upload: Upload) => PageAnswer) =>
  withUpload((visit, upload) =>
    mayWithdrawUpload(upload, withdrawerOf(visit)) ? answer(visit, upload) : goTo(visit, addressOf(visit, upload)),
  )

const withdrawQuestion = (visit: OrganizationVisit, upload: Upload) => ({
  title: `Withdraw ${upload.fileName}?`,
  text: "All its totals are taken back at once. Each line falls back on its other reports, and the history keeps these totals as withdrawn.",
  submit: "Withdraw this upload",
  cancel: addressOf(visit, upload),
})

const ONE = "/app/o/:org/upload/:upload"

export const doneRoutes = [
  ...withdrawRoutes(`${ONE}/withdraw`, withMine, withdrawQuestion, async (visit, upload, by) => {
    const withdrawn = await withdrawUpload(visit.context, upload, by)
    if (withdrawn.outcome === "refused") return withdrawn
    if (withdrawn.outcome !== "done") return goTo(visit, addressOf(visit, upload))
    const { reports, lines } = withdrawn
    const text = `${formatCount(reports, "total")} of ${formatCount(lines, "line")} withdrawn.`
    return goTo(visit, addressOf(visit, upload), done(text, baseOf(visit), "Upload another"))
  }),
]
