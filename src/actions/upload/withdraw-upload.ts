import type { LinkedReport, Withdrawer } from "../../domain/delivery/withdrawal.ts"
import { earliestOf, mayWithdraw, reasonProblem } from "../../domain/delivery/withdrawal.ts"
import { inParts, nextTurn } from "../../domain/event-loop.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { PreviewedLine, Upload } from "../../domain/upload/upload.ts"
import { latestArrivals } from "../../storage/steps/delivery-history.ts"
import { all, eq, type Step } from "../../storage/steps/step.ts"
import { uploadReads } from "../../storage/steps/uploads.ts"
import { type Context, query, transact } from "../context.ts"
import { type ReceivedWithdrawn, withdrawTogether } from "../delivery/withdraw-report.ts"
import { receivedAtOf, reporterOf } from "./checked-row.ts"
import { moveFile } from "./file-state.ts"

/** Whether the person may withdraw what a file reported, and there is something to withdraw. */
export function mayWithdrawUpload(upload: Upload, person: Withdrawer): boolean {
  const { kind, state, summary } = upload
  const isReported = kind === "delivery" && state === "done" && summary.reported > 0 && summary.withdrawn === null
  return isReported && mayWithdraw(person, reporterOf(upload).source)
}

/** Withdraws every report of a file, or none. */
export async function withdrawUpload(
  context: Context,
  upload: Upload,
  { reason, actor, ...person }: Withdrawer & { readonly reason: string; readonly actor: string },
): Promise<ReceivedWithdrawn> {
  const { id, organizationId } = upload
  const receivedAt = receivedAtOf(upload)
  if (!mayWithdrawUpload(upload, person)) return { outcome: "not allowed" }
  const problem = reasonProblem(reason)
  if (problem !== undefined) return { outcome: "refused", errors: { reason: problem } }
  const lineIds = await reportedLines(context, upload, receivedAt)
  const together = { receivedAt, source: reporterOf(upload).source, lineIds, subject: `upload ${id}` }
  const by = { actor, at: context.clock() }
  return transact(context, function* (tx): Step<ReceivedWithdrawn> {
    // Somebody else may have withdrawn it meanwhile.
    const now = yield* uploadReads.find(tx, organizationId, id)
    if (now === null || !mayWithdrawUpload(now, person)) return { outcome: "not allowed" }
    const withdrawn = yield* withdrawTogether(tx, organizationId, together, reason, by)
    const next = { summary: { ...now.summary, withdrawn: { at: by.at, ...withdrawn } } }
    yield* moveFile(tx, id, ["done"], next, { ...by, action: null })
    return { outcome: "done", ...withdrawn }
  })
}

/** The lines of which a file may have reported something: as it was kept with the file or, once any of that is swept, as histories say. */
async function reportedLines(context: Context, upload: Upload, receivedAt: Moment): Promise<number[]> {
  const { update, asked, unchanged } = upload.summary
  const ids: number[] = []
  let kept = 0
  for (let position = 0; ; position++) {
    const page = await context.store.uploads.part(upload.id, "preview", position)
    if (page === null) break
    const lines = JSON.parse(page) as PreviewedLine[]
    kept += lines.length
    ids.push(...lines.flatMap((line) => (line.result === "unchanged" ? [] : [line.id])))
  }
  const isWhole = kept > 0 && kept >= update.lines + asked.lines + unchanged.lines
  return isWhole ? ids : linesReportedAt(context, upload, receivedAt)
}

/** The seller's lines with a report that came in at this moment. No index leads there: each history is read back to it, in turns. */
async function linesReportedAt(context: Context, { organizationId, summary }: Upload, receivedAt: Moment) {
  const lines = await query(context, ({ db, packageLine }) =>
    all(db.select({ id: packageLine.id }).from(packageLine).where(eq(packageLine.sellerId, organizationId))),
  )
  const ids = lines.map(({ id }) => id)
  const found = await reportedAmong(context, ids, receivedAt, earliestOf({ receivedAt }))
  // What came while the clock was ahead lies further back.
  return found.length < summary.update.lines ? reportedAmong(context, ids, receivedAt, 0) : found
}

// However long their histories are, some milliseconds.
const LINES_AT_ONCE = 10

/** Those of these lines with a report that came in at this moment, as far as it is found before reports from before `since`. */
async function reportedAmong(context: Context, lineIds: readonly number[], receivedAt: Moment, since: Moment) {
  const ids: number[] = []
  for (const some of inParts(lineIds, LINES_AT_ONCE)) {
    await nextTurn()
    const latest = await query(context, (tx) => latestArrivals(tx, some, since))
    for (const [lineId, reports] of latest) if (await isIn(lineId, reports)) ids.push(lineId)
  }
  return ids

  async function isIn(lineId: number, reports: readonly LinkedReport[]): Promise<boolean> {
    const last = reports.at(-1)
    // Where the report to go on with was withdrawn meanwhile, whoever withdraws looks again.
    if (last === undefined || reports.some((report) => report.receivedAt === receivedAt)) return true
    if (last.previous === null || last.receivedAt < since) return false
    await nextTurn()
    return isIn(lineId, await context.store.deliveryHistory.arrivals(lineId, last.previous))
  }
}
