import type { CallLogSize } from "../../domain/operations/call-log.ts"
import { type Context, writesOf } from "../context.ts"

/** From now on the oldest calls are removed beyond these bounds. */
export function limitCallLog(context: Pick<Context, "store">, bounds: CallLogSize): void {
  writesOf(context).agentCallLog.keepWithin(bounds)
}
