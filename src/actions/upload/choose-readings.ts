import type { Change } from "../../domain/people/audit.ts"
import { EMPTY_SUMMARY, type Upload, type UploadChoices } from "../../domain/upload/upload.ts"
import { type Context, writesOf } from "../context.ts"

/** Says how to read numbers or days that can be read in two ways, for the whole file, and has it read again. */
export function chooseReadings(
  context: Context,
  upload: Upload,
  readings: Partial<Pick<UploadChoices, "numbers" | "dates">>,
  change: Change,
): Promise<boolean> {
  const choices = { ...upload.choices, ...readings, anyway: [] }
  const next = { state: "reading", choices, rowsDone: 0, summary: EMPTY_SUMMARY } as const
  return writesOf(context).uploads.move(upload.id, ["preview"], next, { ...change, action: null })
}
