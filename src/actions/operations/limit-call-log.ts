import type { CallLogSize } from "../../domain/operations/call-log.ts"
import type { Context } from "../context.ts"

/** From now on the oldest calls make room for new ones beyond these bounds. */
export function limitCallLog({ store }: Pick<Context, "store">, bounds: CallLogSize): void {
  store.agentCallLog.keepWithin(bounds)
}
