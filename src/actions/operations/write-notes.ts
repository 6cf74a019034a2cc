import { type Context, writesOf } from "../context.ts"

/** Writes pending notes: when a key was last used, calls, refusals. */
export function writeNotes(context: Pick<Context, "store">): Promise<void> {
  return writesOf(context).flushNotes()
}
