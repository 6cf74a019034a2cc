import { type Context, writesOf } from "../context.ts"

/** Adds an audit entry for a copy of all data that was made or downloaded, although it changes nothing. */
export function noteBackup(
  context: Context,
  action: "make backup" | "download backup",
  subject: string,
  actor: string,
): Promise<void> {
  return writesOf(context).audit.note(action, subject, { actor, at: context.clock() })
}
