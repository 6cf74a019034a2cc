import type { Change } from "../../domain/people/audit.ts"
import type { UserEdit, Users } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Replaces name, operator right and memberships of a user. The last operator stays one. */
export function editUser(
  context: Context,
  id: number,
  edited: UserEdit,
  by: Pick<Change, "actor" | "seen">,
): ReturnType<Users["edit"]> {
  return writesOf(context).users.edit(id, edited, { ...by, at: context.clock() })
}
