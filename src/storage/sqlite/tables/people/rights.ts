import { eq } from "drizzle-orm"
import type { Connection } from "../../engine/connection.ts"
import { membership, user } from "../../schema.ts"
import { endLinks } from "./one-time-links.ts"

/**
 * Runs a change of what a user may do, inside its transaction. If the user gains access to anything, open password links are deleted:
 * an admin of one organization may hold such a link, which must not open more than that organization.
 */
export function changingRights<Result>(connection: Connection, userId: number, change: () => Result): Result {
  const before = rightsOf(connection, userId)
  const result = change()
  if (rightsOf(connection, userId).some((right) => !before.includes(right))) endLinks(connection, userId, ["password"])
  return result
}

function rightsOf({ drizzle }: Connection, userId: number): (number | "operator")[] {
  const person = drizzle.select({ isOperator: user.isOperator }).from(user).where(eq(user.id, userId)).get()
  const organizations = drizzle
    .select({ id: membership.organizationId })
    .from(membership)
    .where(eq(membership.userId, userId))
    .all()
    .map(({ id }) => id)
  return person?.isOperator === 1 ? ["operator", ...organizations] : organizations
}
