import type { UserChange, UserEdit } from "../storage/store.ts"
import type { Context } from "./context.ts"

/** Replaces name, operator's right and memberships of a person. There is always an operator. */
export function editUser({ store, clock }: Context, id: number, edited: UserEdit, actor: string): Promise<UserChange> {
  return store.users.edit(id, edited, { actor, at: clock() })
}
