import { type Context, writesOf } from "../context.ts"

/** Writes what is buffered in memory: calls, refusals, when keys were last used. */
export function flushWriteBuffer(context: Pick<Context, "store">): Promise<void> {
  return writesOf(context).flushWriteBuffer()
}
