import type { MemberRole, Organization } from "../../../domain/people/organization.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { SignedIn } from "../../../storage/port/store.ts"
import { countNeeding } from "../home/lines-in-flight.ts"
import type { WebContext } from "../web-context.ts"

/** Where in the app a signed-in visitor is. The navigation and the organization switcher are made from it. */
export interface Place {
  /** Null on the operator's own pages, and for somebody who belongs to no organization. */
  readonly organization: Organization | null
  readonly role: MemberRole
  readonly isOperator: boolean
  /** Whether the organization buys and has nothing to sell with: it is shown no seller's tools. */
  readonly onlyBuys: boolean
  /** How much needs a seller today; null where nobody counted. */
  readonly needing: number | null
  /** The organizations to switch to, the present one included. For an operator the first ones, and one more than the menu shows. */
  readonly organizations: readonly Organization[]
}

/** Nobody looks through more than that in a menu; the list of all of them has a search. */
export const SWITCHED_TO_MAX = 30

/** An operator may look at an organization that is not among the first ones. */
async function unlisted({ store }: WebContext, { isOperator }: SignedIn, slug: string | undefined) {
  return isOperator && slug !== undefined ? store.organizations.findBySlug(slug) : null
}

/** The organization of the address; elsewhere the visitor's first one, but none on the pages of an operator. */
export async function placeOf(
  context: WebContext,
  person: SignedIn,
  slug: string | undefined,
  pathname: string,
  now: Moment,
): Promise<Place> {
  const { store } = context
  const offered: readonly Organization[] = person.isOperator
    ? await store.organizations.list(SWITCHED_TO_MAX + 1)
    : person.organizations
  const named = offered.find((one) => one.slug === slug) ?? (await unlisted(context, person, slug))
  const first = person.isOperator ? undefined : person.organizations[0]
  const isOperatorPage = pathname.startsWith("/app/operator")
  const organization = named ?? (isOperatorPage ? undefined : first) ?? null
  const own = person.organizations.find(({ id }) => id === organization?.id)
  const onlyBuys = organization !== null && (await store.organizations.onlyBuys(organization.id))
  return {
    organization,
    role: person.isOperator ? "admin" : (own?.role ?? "member"),
    isOperator: person.isOperator,
    onlyBuys,
    needing: organization === null || onlyBuys ? null : await countNeeding(context, organization, now),
    organizations: named === null || offered.includes(named) ? offered : [named, ...offered],
  }
}

export const isOperatorPlace = ({ isOperator, organization }: Place) => isOperator && organization === null
