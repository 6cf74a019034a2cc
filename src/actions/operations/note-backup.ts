import { type Context, writesOf } from "../context.ts"

/** Leaves an audit entry for what changes nothing here and is worth knowing all the same: a copy of everything was made or left. */
export function noteBackup(
  context: Context,
  action: "make backup" | "download backup",
  subject: string,
  actor: string,
): Promise<void> {
  return writesOf(context).audit.note(action, subject, { actor, at: context.clock() })
}
