import { runChecks } from "../../actions/checks.ts"
import type { Context } from "../../actions/context.ts"
import type { Role } from "../../domain/people/person.ts"
import type { ReadTx } from "../../storage/database.ts"
import { menuFacts, type Organization, onlyBuys, organizationBySlug, sellers } from "../../storage/organizations.ts"
import type { SignedIn } from "../../storage/people/sign-in.ts"
import type { Seat } from "../../storage/people/users.ts"
import type { IconName } from "../parts/icon.tsx"

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

export interface MenuEntry {
  readonly href: string
  readonly label: string
  readonly icon?: IconName
  /** How many things there are to do. */
  readonly count?: number
  readonly below?: readonly MenuEntry[]
  /** Whether the entries below are shown only while one of them is open. */
  readonly isFolded?: boolean
}

interface MenuGroup {
  /** The first group has no title. */
  readonly title?: string
  readonly entries: readonly MenuEntry[]
}

/** What the visitor may open, and nothing else. */
export function menuGroups(menu: MenuState): readonly MenuGroup[] {
  const groups = [{ entries: workEntries(menu) }, { title: "Settings", entries: settingsEntries(menu) }]
  return groups.filter(({ entries }) => entries.length > 0)
}

function workEntries(menu: MenuState): readonly MenuEntry[] {
  const { organization, user, sells, hasCodes, hasProducts, hasSeveralSellers, role, orders } = menu
  const home = `/app/o/${organization?.slug}`
  const work: readonly (MenuEntry | false)[] = [
    sells && { href: home, label: "Today", icon: "sun" },
    {
      href: `${home}/campaigns`,
      label: "Campaigns",
      icon: "flag",
      below: [{ href: `${home}/statements`, label: "Statements" }],
    },
    sells && { href: `${home}/orders`, label: "Orders", icon: "list", count: orders },
    // A seller finds here where to add the first code, and a buyer only has a list of codes.
    (sells || hasCodes) && { href: `${home}/affiliates`, label: "Affiliates", icon: "tag" },
    sells && { href: `${home}/totals`, label: "Report totals", icon: "inbox", below: feeds(home) },
    !user.isOperator &&
      role === "admin" &&
      hasProducts && { href: `${home}/products`, label: "Products", icon: "message" },
  ]
  return shown([
    user.isOperator && hasSeveralSellers && { href: "/app/operator/sellers", label: "All sellers", icon: "list" },
    ...(organization === null ? [] : work),
    organization === null && user.isOperator && { href: "/app/set-up", label: "Set up", icon: "check" },
    user.isOperator && AGENT_SALES,
  ])
}

const shown = (entries: readonly (MenuEntry | false)[]) => entries.filter((entry) => entry !== false)

const feeds = (home: string): readonly MenuEntry[] => [
  { href: `${home}/upload`, label: "Upload" },
  { href: `${home}/feed-activity`, label: "Feed activity" },
]

const AGENT_SALES: MenuEntry = {
  href: "/app/operator/requests",
  label: "Agent sales",
  icon: "message",
  isFolded: true,
  below: [
    { href: "/app/operator/requests", label: "Requests" },
    { href: "/app/operator/products", label: "Products" },
    { href: "/app/operator/formats", label: "Formats" },
    { href: "/app/operator/buyer-keys", label: "Buyer keys" },
    { href: "/app/operator/agent-settings", label: "Agent settings" },
  ],
}

function settingsEntries({ organization, role, user, sells, problems }: MenuState): readonly MenuEntry[] {
  const home = `/app/o/${organization?.slug}`
  const isAdmin = organization !== null && role === "admin"
  return shown([
    isAdmin && sells && { href: `${home}/keys`, label: "API keys", icon: "key" },
    isAdmin && { href: `${home}/people`, label: "People", icon: "people" },
    isAdmin && { href: `${home}/settings`, label: "Organization", icon: "sliders" },
    user.isOperator && { ...SYSTEM, count: problems },
  ])
}

const SYSTEM: MenuEntry = {
  href: "/app/operator/system",
  label: "System",
  icon: "server",
  isFolded: true,
  below: [
    { href: "/app/operator/backups", label: "Backups" },
    { href: "/app/operator/organizations", label: "Organizations" },
    { href: "/app/operator/users", label: "All people" },
    { href: "/app/operator/changes", label: "Changes" },
  ],
}

/** Every entry of the menu, whether it's shown or folded. */
export const allEntries = (groups: readonly MenuGroup[]): readonly MenuEntry[] =>
  groups.flatMap((group) => group.entries).flatMap((entry) => [entry, ...(entry.below ?? [])])

/** The entry that a page belongs to: the longest address that the page's address begins with. Today is a page of its own. */
export function openEntry(groups: readonly MenuGroup[], { pathname }: URL): string {
  const isHome = (href: string) => /^\/app\/o\/[^/]+$/.test(href)
  const fits = (href: string) => (isHome(href) ? pathname === href : `${pathname}/`.startsWith(`${href}/`))
  const fitting = allEntries(groups).flatMap(({ href }) => (fits(href) ? [href] : []))
  return fitting.reduce((longest, href) => (href.length > longest.length ? href : longest), "")
}
