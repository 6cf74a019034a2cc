import type { UserChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Removes an account with all its sessions. The last operator, and the last admin of an organization, cannot be removed. */
export function removeUser(
  context: Context,
  id: number,
  actor: string,
): Promise<UserChange | { readonly lastAdminOf: string }> {
  return writesOf(context).users.remove(id, { actor, at: context.clock() })
}
