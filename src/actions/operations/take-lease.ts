import type { LeaseName } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Whether this server may run a scheduled job now. It takes the lease, or keeps it for longer, so that no other one runs it too. */
export function takeLease(context: Pick<Context, "store">, name: LeaseName, seconds: number): Promise<boolean> {
  return writesOf(context).leases.take(name, seconds)
}
