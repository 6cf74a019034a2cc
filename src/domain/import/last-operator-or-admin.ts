import type { ExistingData, PlannedUser } from "./import-plan.ts"

// There is always an operator, and an organization that has an admin always keeps one. An import is checked against this twice: before
// anything is written, so that it can be explained, and again in the transaction that writes it.

export function wouldLeaveNoOperator(operators: ExistingData["operators"], users: readonly PlannedUser[]): boolean {
  const after = new Set(operators)
  for (const { email, isOperator } of users) {
    if (isOperator === true) after.add(email)
    if (isOperator === false) after.delete(email)
  }
  return operators.size > 0 && after.size === 0
}

/** The slugs of the organizations that would lose their last admin. */
export function organizationsLeftWithoutAdmin(admins: ExistingData["admins"], users: readonly PlannedUser[]): string[] {
  const after = new Map([...admins].map(([slug, emails]) => [slug, new Set(emails)]))
  for (const { email, membership } of users) {
    const emails = after.get(membership?.organization ?? "")
    if (membership?.role === "admin") emails?.add(email)
    else emails?.delete(email)
  }
  return [...after].flatMap(([slug, { size }]) => (size === 0 ? [slug] : []))
}
