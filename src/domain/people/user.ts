import { Type } from "@sinclair/typebox"
import { checkFor } from "../schema/check.ts"
import { UNSEEN } from "../text/short-text.ts"
import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import { type MemberRole, nameErrors } from "./organization.ts"

// No characters that need quoting and no invisible ones: addresses are compared, printed and read aloud.
const NOT_IN_EMAIL = `\\s@"<>()\\[\\],;:\\\\${UNSEEN}\\u200c\\u200d`

export const Email = Type.String({
  pattern: `^[^${NOT_IN_EMAIL}]+@[^${NOT_IN_EMAIL}]+\\.[^.${NOT_IN_EMAIL}]+$`,
  maxLength: 254,
  title: "an e-mail address",
})

const isEmail = checkFor(Email)

export const personErrors = ({ name, email }: { readonly name: string; readonly email: string }) => ({
  ...nameErrors("name", name),
  ...(!isEmail(email).ok && { email: "Enter a valid email address." }),
})

/** Normalized, so that a person has one account however the address is typed. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()

export interface Membership {
  readonly organizationId: number
  /** Its slug, and its name. */
  readonly organization: string
  readonly organizationName: string
  readonly role: MemberRole
}

export interface User {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly hasPassword: boolean
  readonly hasTotp: boolean
  readonly createdAt: Moment
  readonly memberships: readonly Membership[]
}

export const userFields = ({ name, isOperator, memberships }: User) => ({
  name,
  isOperator,
  memberships: memberships.map(({ organization, role }) => [organization, role]),
})

// Long enough to switch to another machine, short enough that a link in a log is soon worthless.
export const SETUP_LINK_MINUTES = 30
export const PASSWORD_LINK_HOURS = 72
// One that somebody asked for who waits for the mail.
export const FORGOTTEN_LINK_MINUTES = 60
/** How long it takes until another one is mailed, so that strangers cannot fill a mailbox. */
export const FORGOTTEN_LINK_EVERY_MINUTES = 10

export const SECOND_FACTOR_MINUTES = 10
// Two weeks, so that occasional users do not have to sign in every time; but one that nobody uses does not outlast a long weekend.
export const SESSION_DAYS = 14
const SESSION_IDLE_DAYS = 4

/** When a session ends that was last used at `usedAt`. */
export const sessionEnd = (createdAt: Moment, usedAt: Moment): Moment =>
  Math.min(usedAt + SESSION_IDLE_DAYS * MICROS_PER_DAY, createdAt + SESSION_DAYS * MICROS_PER_DAY)

/** second_factor: the password was right, the code is still to come. */
export type LinkPurpose = "setup" | "password" | "second_factor"

/** Whether a user may do anything after an edit that was closed to them before. */
export function gainsAccess(before: User, after: User): boolean {
  const organizations = ({ memberships }: User) => new Set(memberships.map(({ organizationId }) => organizationId))
  return (after.isOperator && !before.isOperator) || !organizations(after).isSubsetOf(organizations(before))
}

/** The memberships in which the user is an admin before an edit and no longer after it. */
export function adminRolesLost(
  before: readonly Membership[],
  after: readonly Pick<Membership, "organizationId" | "role">[],
): Membership[] {
  const remaining = new Set(after.flatMap(({ organizationId, role }) => (role === "admin" ? [organizationId] : [])))
  return before.filter(({ organizationId, role }) => role === "admin" && !remaining.has(organizationId))
}
