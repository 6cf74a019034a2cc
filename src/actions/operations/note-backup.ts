import type { Context } from "../context.ts"

/** Leaves an audit entry for what changes nothing here and is worth knowing all the same: a copy of everything was made or left. */
export function noteBackup(
  { store, clock }: Context,
  action: "make backup" | "download backup",
  subject: string,
  actor: string,
): Promise<void> {
  return store.audit.note(action, subject, { actor, at: clock() })
}
