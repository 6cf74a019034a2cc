import type { Context } from "../context.ts"

/** Writes the small notes (when a key was last used, calls, refusals) that still wait for a commit. */
export function writeNotes({ store }: Pick<Context, "store">): Promise<void> {
  return store.flushNotes()
}
