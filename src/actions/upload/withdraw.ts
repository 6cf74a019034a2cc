import { findSource } from "../../storage/delivery/sources.ts"
import { updateUpload, uploadById } from "../../storage/uploads.ts"
import type { Context } from "../context.ts"
import { type Withdrawer, withdrawAll } from "../delivery/withdraw-report.ts"
import type { UploadKey } from "./answer.ts"

/** Withdraws all totals of a file that still count. The history keeps them. */
export async function withdrawUpload(
  { database, clock }: Context,
  by: Withdrawer,
  { organizationId, id }: UploadKey,
  reason: string,
): Promise<{ readonly reports: number; readonly lines: number } | "not allowed" | "not found"> {
  return database.transactReport(async (tx) => {
    const upload = await uploadById(tx, organizationId, id)
    const source = upload?.sourceId == null ? null : await findSource(tx, { id: upload.sourceId })
    if (upload?.state !== "reported" || source === null) return "not found"
    const { reference } = source
    const withdrawn = await withdrawAll(tx, by, { sellerId: organizationId, reference, reason }, clock())
    if (withdrawn !== "not allowed") await updateUpload(tx, organizationId, id, { state: "withdrawn" })
    return withdrawn
  })
}
