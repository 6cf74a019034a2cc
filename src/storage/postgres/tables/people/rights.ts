import type { Session } from "../../engine/session.ts"
import { endLinks } from "./one-time-links.ts"

// 0 stands for the operator's right: no organization has this id.
const RIGHTS = `
  SELECT organization_id AS id FROM membership WHERE user_id = $1
  UNION ALL SELECT 0 FROM "user" WHERE id = $1 AND is_operator = 1`

/**
 * Runs a change of what a user may do, inside its transaction. If the user gains access to anything, open password links are deleted:
 * an admin of one organization may hold such a link, which must not open more than that organization.
 */
export async function changingRights(
  transaction: Session,
  userId: number,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await rightsOf(transaction, userId)
  await change()
  const after = await rightsOf(transaction, userId)
  if (!after.isSubsetOf(before)) await endLinks(transaction, userId, ["password"])
}

async function rightsOf({ rows }: Session, userId: number): Promise<Set<number>> {
  const found = await rows<{ id: number }>(RIGHTS, [userId])
  return new Set(found.map(({ id }) => id))
}
