import { runChecks } from "../../actions/checks.ts"
import type { Context } from "../../actions/context.ts"
import type { Role } from "../../domain/people/role.ts"
import type { ReadTx } from "../../storage/database.ts"
import { menuFacts, type Organization, onlyBuys, organizationBySlug, sellers } from "../../storage/organizations.ts"
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
  readonly sells: boolean
  readonly hasCodes: boolean
  readonly hasProducts: boolean
  /** Whether several organizations sell here, so that the operator has a page about all of them. */
  readonly hasSeveralSellers: boolean
  /** How many orders are to be answered. */
  readonly orders: number
  /** How many problems of the server need the operator. 0 for all other visitors. */
  readonly problems: number
}

/** A menu with more would be too long. The list of organizations has a search. */
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
  context: Context,
  user: SignedIn,
  seat: Seat | null,
  lastSlug: string,
): Promise<MenuState> {
  const { read } = context.database
  const own = user.seats.map(({ organization }) => organization)
  const selling = user.isOperator ? await sellers(read, SWITCHED_TO_MAX) : []
  // Their own organizations come first. The operator may switch to every seller.
  const organizations = [...own, ...selling.filter(({ id }) => !own.some((each) => each.id === id))]
  const last = organizations.find(({ slug }) => slug === lastSlug)
  const organization = seat?.organization ?? last ?? organizations[0] ?? null
  const role = user.seats.find((each) => each.organization.id === organization?.id)?.role
  const facts = await factsOf(context, user, organization)
  return {
    user,
    organization,
    role: user.isOperator ? "admin" : (role ?? "member"),
    organizations,
    sells: organization !== null && !(await onlyBuys(read, organization.id)),
    hasCodes: facts.codes > 0,
    hasProducts: facts.products > 0,
    hasSeveralSellers: selling.length > 1,
    orders: facts.orders,
    problems: user.isOperator ? await countProblems(context) : 0,
  }
}

async function factsOf({ database, clock }: Context, { isOperator }: SignedIn, organization: Organization | null) {
  if (organization === null) return { orders: 0, products: 0, codes: 0 }
  return menuFacts(database.read, { organizationId: organization.id, isOperator }, clock())
}

/** As many as the System page lists. */
async function countProblems(context: Context): Promise<number> {
  const findings = await runChecks(context, "system")
  return findings.filter(({ ok }) => !ok).length
}
