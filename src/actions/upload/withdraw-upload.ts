import { mayWithdraw, reasonProblem, type Withdrawer } from "../../domain/delivery/withdrawal.ts"
import type { Upload } from "../../domain/upload/upload.ts"
import type { Step } from "../../storage/steps/step.ts"
import { uploadReads } from "../../storage/steps/uploads.ts"
import { type Context, transact } from "../context.ts"
import { momentsReceived, type ReceivedWithdrawn, withdrawTogether } from "../delivery/withdraw-report.ts"
import { receivedAtOf, reporterOf } from "./checked-row.ts"
import { moveFile } from "./file-state.ts"

/** Whether the person may withdraw what a file reported, and there is something to withdraw. */
export function mayWithdrawUpload(upload: Upload, person: Withdrawer): boolean {
  const { kind, state, summary } = upload
  const isReported = kind === "delivery" && state === "done" && summary.reported > 0 && summary.withdrawn === null
  return isReported && mayWithdraw(person, reporterOf(upload).source)
}

const LINES_UNKNOWN = "An earlier version reported this file. Withdraw its totals on the page of each line."

/** Withdraws every report of a file, or none. */
export async function withdrawUpload(
  context: Context,
  upload: Upload,
  { reason, actor, ...person }: Withdrawer & { readonly reason: string; readonly actor: string },
): Promise<ReceivedWithdrawn> {
  const { id, organizationId } = upload
  if (!mayWithdrawUpload(upload, person)) return { outcome: "not allowed" }
  const problem = reasonProblem(reason)
  if (problem !== undefined) return { outcome: "refused", errors: { reason: problem } }
  const lineIds = (await context.store.uploads.lines(id))?.map((line) => line.id)
  if (lineIds === undefined) return { outcome: "refused", errors: { reason: LINES_UNKNOWN } }
  const { source } = reporterOf(upload)
  const received = { receivedAt: receivedAtOf(upload), source, lineIds, subject: `upload ${id}` }
  const together = { ...received, moments: await momentsReceived(context, received) }
  const by = { actor, at: context.clock() }
  return transact(context, function* (tx): Step<ReceivedWithdrawn> {
    // Somebody else may have withdrawn it meanwhile.
    const now = yield* uploadReads.find(tx, organizationId, id)
    if (now === null || !mayWithdrawUpload(now, person)) return { outcome: "not allowed" }
    const withdrawn = yield* withdrawTogether(tx, organizationId, together, reason, by)
    const next = { summary: { ...now.summary, withdrawn: { at: by.at, ...withdrawn } } }
    yield* moveFile(tx, id, "done", next, { ...by, action: null })
    return { outcome: "done", ...withdrawn }
  })
}
