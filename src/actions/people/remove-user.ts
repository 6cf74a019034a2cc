import type { UserChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Removes an account with all its sessions. The last operator cannot be removed. */
export function removeUser(context: Context, id: number, actor: string): Promise<UserChange> {
  return writesOf(context).users.remove(id, { actor, at: context.clock() })
}
