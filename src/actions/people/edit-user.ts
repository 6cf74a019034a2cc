import type { Change } from "../../domain/people/audit.ts"
import type { UserEdit, Users } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Replaces name, operator's right and memberships of a person. There is always an operator. */
export function editUser(
  context: Context,
  id: number,
  edited: UserEdit,
  by: Pick<Change, "actor" | "seen">,
): ReturnType<Users["edit"]> {
  return writesOf(context).users.edit(id, edited, { ...by, at: context.clock() })
}
