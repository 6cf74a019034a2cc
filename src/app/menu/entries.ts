import { runChecks } from "../../actions/checks.ts"
import type { Context } from "../../actions/context.ts"
import type { Role } from "../../domain/people/person.ts"
import { menuFacts, type Organization, onlyBuys, sellers } from "../../storage/organizations.ts"
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
  /** What the visitor may open, and nothing else. */
  readonly groups: readonly MenuGroup[]
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

/** A menu with more would be too long. The list of organizations has a search. */
export const SWITCHED_TO_MAX = 30

/** Pages that belong to no organization keep the menu of the page before, which `lastSlug` names. */
export async function menuOf(
  context: Context,
  user: SignedIn,
  seat: Seat | null,
  lastSlug: string,
): Promise<MenuState> {
  const own = user.seats.map(({ organization }) => organization)
  const selling = user.isOperator ? await sellers(context.database.read, SWITCHED_TO_MAX) : []
  // Their own organizations come first. The operator may switch to every seller.
  const organizations = [...own, ...selling.filter(({ id }) => !own.some((each) => each.id === id))]
  const last = organizations.find(({ slug }) => slug === lastSlug)
  const organization = seat?.organization ?? last ?? organizations[0] ?? null
  const ownRole = user.seats.find((each) => each.organization.id === organization?.id)?.role ?? "member"
  const role = user.isOperator ? "admin" : ownRole
  const { work, settings } =
    organization === null ? NO_ORGANIZATION : await organizationEntries(context, user, organization, role)
  const system = user.isOperator && { ...SYSTEM, count: await countProblems(context) }
  const hasSeveralSellers = selling.length > 1
  const groups = [
    {
      entries: shown([
        hasSeveralSellers && { href: "/app/operator/sellers", label: "All sellers", icon: "list" },
        ...work,
        user.isOperator && organization === null && { href: "/app/set-up", label: "Set up", icon: "check" },
        user.isOperator && AGENT_SALES,
      ]),
    },
    { title: "Settings", entries: shown([...settings, system]) },
  ]
  return { user, organization, role, organizations, groups: groups.filter(({ entries }) => entries.length > 0) }
}

type Entries = readonly (MenuEntry | false)[]

const shown = (entries: Entries) => entries.filter((entry) => entry !== false)

const NO_ORGANIZATION: Record<"work" | "settings", Entries> = { work: [], settings: [] }

async function organizationEntries(context: Context, user: SignedIn, { id, slug }: Organization, role: Role) {
  const { read } = context.database
  const { isOperator } = user
  const home = `/app/o/${slug}`
  const sells = !(await onlyBuys(read, id))
  const facts = await menuFacts(read, { organizationId: id, isOperator }, context.clock())
  const isAdmin = role === "admin"
  const hasProducts = isAdmin && !isOperator && facts.products > 0
  const statements = [{ href: `${home}/statements`, label: "Statements" }]
  const feeds = [
    { href: `${home}/upload`, label: "Upload" },
    { href: `${home}/feed-activity`, label: "Feed activity" },
  ]
  const work: Entries = [
    sells && { href: home, label: "Today", icon: "sun" },
    { href: `${home}/campaigns`, label: "Campaigns", icon: "flag", below: statements },
    sells && { href: `${home}/orders`, label: "Orders", icon: "list", count: facts.orders },
    // A seller finds here where to add the first code, and a buyer only has a list of codes.
    (sells || facts.codes > 0) && { href: `${home}/affiliates`, label: "Affiliates", icon: "tag" },
    sells && { href: `${home}/totals`, label: "Report totals", icon: "inbox", below: feeds },
    hasProducts && { href: `${home}/products`, label: "Products", icon: "message" },
  ]
  const settings: Entries = [
    sells && { href: `${home}/keys`, label: "API keys", icon: "key" },
    { href: `${home}/people`, label: "People", icon: "people" },
    { href: `${home}/settings`, label: "Organization", icon: "sliders" },
  ]
  return { work, settings: isAdmin ? settings : [] }
}

/** As many as the System page lists. */
async function countProblems(context: Context): Promise<number> {
  const findings = await runChecks(context, "system")
  return findings.filter(({ ok }) => !ok).length
}

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
export const allEntries = ({ groups }: MenuState): readonly MenuEntry[] =>
  groups.flatMap((group) => group.entries).flatMap((entry) => [entry, ...(entry.below ?? [])])

/** The entry that a page belongs to: the longest address that the page's address begins with. Today is a page of its own. */
export function openEntry(menu: MenuState, { pathname }: URL): string {
  const isHome = (href: string) => /^\/app\/o\/[^/]+$/.test(href)
  const path = `${pathname}/`.replace("/new-campaign/", "/campaigns/")
  const fits = (href: string) => (isHome(href) ? pathname === href : path.startsWith(`${href}/`))
  const fitting = allEntries(menu).flatMap(({ href }) => (fits(href) ? [href] : []))
  return fitting.reduce((longest, href) => (href.length > longest.length ? href : longest), "")
}
