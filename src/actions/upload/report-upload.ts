import type { Change } from "../../domain/people/audit.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import { type Context, writesOf } from "../context.ts"

/** Has a previewed file reported. Odd lines are left out, except those in `anyway`. False when it was decided about already. */
export function reportUpload(
  context: Context,
  upload: Upload,
  anyway: UploadChoices["anyway"],
  change: Change,
): Promise<boolean> {
  const next = {
    state: "reporting",
    rowsDone: 0,
    choices: { ...upload.choices, anyway },
    summary: { ...upload.summary, notice: "" },
    receivedAt: change.at,
  } as const
  return writesOf(context).uploads.move(upload.id, ["preview"], next, { ...change, action: "report upload" })
}
