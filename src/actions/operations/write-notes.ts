import { type Context, writesOf } from "../context.ts"

/** Writes the small notes (when a key was last used, calls, refusals) that still wait for a commit. */
export function writeNotes(context: Pick<Context, "store">): Promise<void> {
  return writesOf(context).flushNotes()
}
