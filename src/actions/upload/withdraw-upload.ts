import type { DeliveryTotal } from "../../domain/delivery/delivery.ts"
import type { LinkedReport, Withdrawer } from "../../domain/delivery/withdrawal.ts"
import { isAllAfter, mayWithdraw, reasonProblem } from "../../domain/delivery/withdrawal.ts"
import { nextTurn } from "../../domain/event-loop.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { PreviewedLine, Upload } from "../../domain/upload/upload.ts"
import { all, eq } from "../../storage/steps/step.ts"
import { type Context, query, transact } from "../context.ts"
import { type ReceivedWithdrawn, withdrawTogether } from "../delivery/withdraw-report.ts"
import { reporterOf } from "./checked-row.ts"
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
  const { id, organizationId, receivedAt, summary } = upload
  if (receivedAt === null || !mayWithdrawUpload(upload, person)) return { outcome: "not allowed" }
  const problem = reasonProblem(reason)
  if (problem !== undefined) return { outcome: "refused", errors: { reason: problem } }
  const lineIds = await reportedLines(context, upload, receivedAt)
  const together = { receivedAt, source: reporterOf(upload).source, lineIds, subject: `upload ${id}` }
  const by = { actor, at: context.clock() }
  return transact(context, function* (tx) {
    const withdrawn = yield* withdrawTogether(tx, organizationId, together, reason, by)
    const next = { summary: { ...summary, withdrawn: { at: by.at, ...withdrawn } } }
    yield* moveFile(tx, id, ["done"], next, { ...by, action: null })
    return { outcome: "done", ...withdrawn }
  })
}

/** The lines of which a file may have reported something: as it was kept with the file or, once that is swept, as histories say. */
async function reportedLines(context: Context, upload: Upload, receivedAt: Moment): Promise<number[]> {
  const ids: number[] = []
  for (let position = 0; ; position++) {
    const page = await context.store.uploads.part(upload.id, "preview", position)
    if (page === null) return position === 0 ? linesReportedAt(context, upload.organizationId, receivedAt) : ids
    const lines = JSON.parse(page) as PreviewedLine[]
    ids.push(...lines.flatMap((line) => (line.result === "unchanged" ? [] : [line.id])))
  }
}

/** The seller's lines with a report that came in at this moment. No index leads there: each history is read back to it, in turns. */
async function linesReportedAt(context: Context, sellerId: number, receivedAt: Moment): Promise<number[]> {
  const lines = await query(context, ({ db, packageLine }) =>
    all(db.select({ id: packageLine.id }).from(packageLine).where(eq(packageLine.sellerId, sellerId))),
  )
  const ids: number[] = []
  for (const { id } of lines) if (await hasReportOf(context, id, receivedAt)) ids.push(id)
  return ids
}

async function hasReportOf(context: Context, lineId: number, receivedAt: Moment): Promise<boolean> {
  for (let from: DeliveryTotal | null = null; ; ) {
    await nextTurn()
    const reports: readonly LinkedReport[] = await context.store.deliveryHistory.arrivals(lineId, from)
    if (reports.some((report) => report.receivedAt === receivedAt)) return true
    const last = reports.at(-1)
    // The report to go on with was withdrawn meanwhile.
    if (last === undefined && from !== null) return hasReportOf(context, lineId, receivedAt)
    if (last === undefined || last.previous === null || isAllAfter(receivedAt, last)) return false
    from = last.previous
  }
}
