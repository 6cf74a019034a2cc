import type { Membership, User } from "./user.ts"

/** There is always an operator, and an organization that has an admin keeps one: whether a change would take away the last. */
export const takesLast = (before: ReadonlySet<unknown>, after: ReadonlySet<unknown>): boolean =>
  before.size > 0 && after.size === 0

type Rights = ReturnType<typeof rightsAmong>

/** As an import would have somebody; null leaves it. */
interface PlannedUser extends Pick<User, "email"> {
  readonly isOperator: boolean | null
  readonly membership: Pick<Membership, "organization" | "role"> | null
}

// An import is checked twice against who would be left: before anything is written, so that it can be explained, and again in the
// transaction that writes it.

/** Addresses of the operators, and of the admins of each organization that has any, by its slug. */
export function rightsAmong(users: readonly User[]) {
  const admins = users.flatMap(({ email, memberships }) =>
    memberships.filter(({ role }) => role === "admin").map(({ organization }) => ({ email, organization })),
  )
  const bySlug = Map.groupBy(admins, ({ organization }) => organization)
  return {
    operators: new Set(users.filter(({ isOperator }) => isOperator).map(({ email }) => email)),
    admins: new Map([...bySlug].map(([slug, people]) => [slug, new Set(people.map(({ email }) => email))])),
  }
}

export function wouldLeaveNoOperator(operators: Rights["operators"], users: readonly PlannedUser[]): boolean {
  const after = new Set(operators)
  for (const { email, isOperator } of users) {
    if (isOperator === true) after.add(email)
    if (isOperator === false) after.delete(email)
  }
  return takesLast(operators, after)
}

export function organizationsLeftWithoutAdmin(admins: Rights["admins"], users: readonly PlannedUser[]): string[] {
  const after = new Map([...admins].map(([slug, emails]) => [slug, new Set(emails)]))
  for (const { email, membership } of users) {
    const emails = after.get(membership?.organization ?? "")
    if (membership?.role === "admin") emails?.add(email)
    else emails?.delete(email)
  }
  return [...after].flatMap(([slug, emails]) => (takesLast(admins.get(slug) ?? emails, emails) ? [slug] : []))
}
