import type { Role } from "../../domain/people/role.ts"
import type { ReadTx } from "../../storage/database.ts"
import { type Organization, organizationBySlug, sellers } from "../../storage/organizations.ts"
import type { SignedIn } from "../../storage/people/sessions.ts"
import type { Seat } from "../../storage/people/users.ts"

/** What the menu shows. It's read before the page, because pages are rendered in one go. */
export interface MenuState {
  readonly user: SignedIn
  /** The organization in the path, or the one of the page before. Null if the person belongs to none. */
  readonly organization: Organization | null
  readonly role: Role
  /** The organizations to switch to. */
  readonly organizations: readonly Organization[]
}

/** Nobody looks through more than these in a menu. The list of organizations has a search. */
export const SWITCHED_TO_MAX = 30

/** The person's place in an organization. The operator is an admin of each. */
export async function seatIn(read: ReadTx, user: SignedIn, slug: string): Promise<Seat | null> {
  const seat = user.seats.find(({ organization }) => organization.slug === slug) ?? null
  if (!user.isOperator) return seat
  const organization = seat?.organization ?? (await organizationBySlug(read, slug))
  return organization === null ? null : { organization, role: "admin" }
}

/** Pages that belong to no organization keep the menu of the page before, which `lastSlug` names. */
export async function menuStateOf(
  read: ReadTx,
  user: SignedIn,
  seat: Seat | null,
  lastSlug: string,
): Promise<MenuState> {
  const organizations = await switchableBy(read, user)
  const last = organizations.find(({ slug }) => slug === lastSlug)
  const organization = seat?.organization ?? last ?? organizations[0] ?? null
  const role = user.seats.find((each) => each.organization.id === organization?.id)?.role
  return { user, organization, role: user.isOperator ? "admin" : (role ?? "member"), organizations }
}

/** Their own organizations first. The operator may switch to every seller. */
async function switchableBy(read: ReadTx, { isOperator, seats }: SignedIn): Promise<readonly Organization[]> {
  const own = seats.map(({ organization }) => organization)
  if (!isOperator) return own
  const others = await sellers(read, SWITCHED_TO_MAX)
  return [...own, ...others.filter(({ id }) => !own.some((each) => each.id === id))]
}
