import type { UserChange } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

/** Removes an account with all its sessions. There is always an operator. */
export function removeUser({ store, clock }: Context, id: number, actor: string): Promise<UserChange> {
  return store.users.remove(id, { actor, at: clock() })
}
