import type { UploadResult } from "../../domain/upload/result.ts"
import { noteFeedRequest } from "../../storage/operations/feed-activity.ts"
import type { Context } from "../context.ts"
import type { KeyReporter } from "../keys.ts"

interface NotedFile {
  readonly fileName: string
  readonly isDryRun: boolean
}

/** Counts a file that a program sent, and keeps some of its rejected rows for the seller. */
export function noteFile(
  { database, clock }: Context,
  { sellerId, keyId }: KeyReporter,
  { fileName, isDryRun }: NotedFile,
  { reported, rejectedRows }: UploadResult,
): void {
  noteFeedRequest(database.later, {
    organizationId: sellerId,
    apiKeyId: keyId,
    at: clock(),
    feed: "files",
    outcome: isDryRun ? "dry_run" : "answered",
    accepted: reported,
    rejected: rejectedRows.map(({ reason, message }, index) => ({ index, reason, message })),
    items: rejectedRows.map(({ row }) => ({ file: fileName, row })),
  })
}
