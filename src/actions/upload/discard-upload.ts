import type { Change } from "../../domain/people/audit.ts"
import { UNDECIDED } from "../../domain/upload/upload.ts"
import { type Context, writesOf } from "../context.ts"

/** Cancels the reading of a file, or discards it. False when it is being reported, or was. */
export function discardUpload(context: Context, uploadId: number, change: Change): Promise<boolean> {
  return writesOf(context).uploads.move(
    uploadId,
    UNDECIDED,
    { state: "discarded" },
    { ...change, action: "discard upload" },
  )
}
