import type { Membership, User } from "../people/user.ts"

/** What an account may do: whether it is an operator's, and its role in each organization, by slug. */
type Rights = Readonly<{ isOperator: boolean; roles: ReadonlyMap<string, Membership["role"]> }>

/** The accounts that are there, by address. */
export type Accounts = ReadonlyMap<string, Rights>

/** As an import would have somebody; null leaves it. */
interface PlannedUser extends Pick<User, "email"> {
  readonly isOperator: boolean | null
  readonly membership: Pick<Membership, "organization" | "role"> | null
}

export const accountsOf = (users: readonly User[]): Accounts =>
  new Map(
    users.map(({ email, isOperator, memberships }) => [
      email,
      { isOperator, roles: new Map(memberships.map(({ organization, role }) => [organization, role])) },
    ]),
  )

/** The right that an import would give to an account that is there, or take from it; null where it leaves all of them. */
export function changedRight(accounts: Accounts, { email, isOperator, membership }: PlannedUser) {
  const rights = accounts.get(email)
  if (rights === undefined) return null
  if (isOperator !== null && isOperator !== rights.isOperator) return "operator"
  const role = membership && rights.roles.get(membership.organization)
  if (membership === null || role === membership.role) return null
  return role === undefined ? "organization" : "role"
}
