import type { Organization } from "../../../domain/people/organization.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { OrganizationTraits, SignedIn } from "../../../storage/port/store.ts"
import { countNeeding } from "../home/lines-in-flight.ts"
import { systemNeeds } from "../operator/system-needs.ts"
import { toSettle } from "../sale/to-settle.ts"
import { sellerScope } from "../sale/with-order.ts"
import type { WebContext } from "../web-context.ts"
import { SWITCHED_TO_MAX, type VisitorPlace } from "./place.ts"

type Offered = Pick<VisitorPlace, "organizations" | "hasSeveralSellers">

/**
 * An operator may go everywhere, but buyers are not offered before there is somebody of theirs to sign in; and with one seller there is
 * nothing to choose. Everybody else is offered what they belong to.
 */
async function offeredTo({ store }: WebContext, { isOperator, organizations: theirs }: SignedIn): Promise<Offered> {
  if (!isOperator) return { organizations: theirs, hasSeveralSellers: false }
  const sellers = await store.organizations.sellers(SWITCHED_TO_MAX + 1)
  const hasSeveralSellers = sellers.length > 1
  const room = SWITCHED_TO_MAX + 1 - sellers.length
  const buyers = hasSeveralSellers && room > 0 ? await store.organizations.buyersWithPeople(room) : []
  const isTheirs = ({ id }: Organization) => theirs.some((organization) => organization.id === id)
  const all = [...sellers.filter(isTheirs), ...sellers, ...theirs, ...buyers]
  return { organizations: [...new Map(all.map((each) => [each.id, each])).values()], hasSeveralSellers }
}

/** Of several that somebody belongs to, the first that sells: buyers have less to do here. */
async function firstOf({ store }: WebContext, offered: readonly Organization[]): Promise<Organization | null> {
  if (offered.length > 1)
    for (const organization of offered)
      if (!(await store.organizations.traits(organization.id)).onlyBuys) return organization
  return offered[0] ?? null
}

/** The organization of the address. On pages of none: the one of the last page, or else the first that sells. */
export async function placeOf(
  context: WebContext,
  person: SignedIn,
  slug: string | undefined,
  lastSlug: string | null,
  now: Moment,
  isToday: boolean,
): Promise<VisitorPlace> {
  const { store } = context
  const offered = await offeredTo(context, person)
  const offer = (wanted: string | null) => offered.organizations.find((entry) => entry.slug === wanted)
  // An operator may look at an organization that is not offered.
  const unlisted =
    person.isOperator && slug !== undefined && offer(slug) === undefined
      ? await store.organizations.findBySlug(slug)
      : null
  const organization = unlisted ?? offer(slug ?? lastSlug) ?? (await firstOf(context, offered.organizations))
  const membership = person.organizations.find(({ id }) => id === organization?.id)
  const traits = organization === null ? NOTHING : await store.organizations.traits(organization.id)
  const isSelling = organization !== null && !traits.onlyBuys
  const scope = isSelling ? await sellerScope(store, organization, person.isOperator) : null
  const [orders, settling, needing, ofServer] = await Promise.all([
    scope === null ? null : store.orders.countWaiting(scope, now),
    isSelling ? toSettle(store, organization, now) : [],
    isSelling && !isToday ? countNeeding(context, organization, now) : null,
    person.isOperator ? systemNeeds(context) : [],
  ])
  return {
    ...offered,
    ...traits,
    organization,
    role: person.isOperator ? "admin" : (membership?.role ?? "member"),
    isOperator: person.isOperator,
    needing,
    orders,
    hasProducts: scope !== null && (await store.catalogue.hasProducts(scope)),
    settling,
    systemNeeds: ofServer,
    organizations: unlisted === null ? offered.organizations : [unlisted, ...offered.organizations],
  }
}

const NOTHING: OrganizationTraits = { onlyBuys: false, hasLines: false, hasCodes: false, hadKeys: false }
