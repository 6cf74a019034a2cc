import type { IconName } from "../parts/icon.tsx"
import { countNeeds, type VisitorPlace } from "./place.ts"

export const FORGOTTEN = "/app/forgot-password"
export const OPERATOR = "/app/operator"
/** Where the operator of several sellers begins. */
export const SELLERS = `${OPERATOR}/sellers`
export const ORGANIZATIONS = `${OPERATOR}/organizations`
export const USERS = `${OPERATOR}/users`
export const PRODUCTS = `${OPERATOR}/products`
export const FORMATS = `${OPERATOR}/formats`
export const AGENT_KEYS = `${OPERATOR}/agent-keys`
/** Products, keys, requests and what buyers asked for: one entry of the menu, whose pages have tabs. */
export const AGENT_SALES = `${OPERATOR}/agent-sales`
export const REQUESTS = `${OPERATOR}/requests`
export const LISTED = `${OPERATOR}/get-listed`
export const AUDIT = `${OPERATOR}/audit`
export const SYSTEM = `${OPERATOR}/system`
export const BACKUPS_FOLD = "?open=backups"
export const BACKUPS = `${SYSTEM}${BACKUPS_FOLD}`

export const BACKUP = `${OPERATOR}/backup`
export const PRODUCT = `${OPERATOR}/product`
export const FORMAT = `${OPERATOR}/format`
export const REQUEST = `${OPERATOR}/request`
export const AGENT_KEY = `${OPERATOR}/agent-key`

/** The address of an item of a list: ids may contain any character. */
export const itemAddress = (base: string, id: string | number, ...rest: string[]): string =>
  [base, encodeURIComponent(id), ...rest].join("/")

export interface NavigationEntry {
  readonly href: string
  readonly label: string
  readonly icon?: IconName
  /** How much there needs somebody. */
  readonly count?: number
  /** Pages that belong to this entry and have none of their own. */
  readonly covers?: readonly string[]
  readonly below?: readonly NavigationEntry[]
}

export interface NavigationGroup {
  /** The first group has no title. */
  readonly title: string | null
  readonly entries: readonly NavigationEntry[]
}

/** The entry of the menu that an address is below: /app/o/acme/campaigns, /app/operator/users. */
export const entryOf = ({ pathname }: URL): string =>
  pathname.split("/", pathname.startsWith("/app/o/") ? 5 : 4).join("/")

const SYSTEM_PAGES: Section = {
  label: "System",
  tabs: [
    { href: SYSTEM, label: "System" },
    { href: ORGANIZATIONS, label: "Organizations" },
    { href: USERS, label: "All people" },
    { href: AUDIT, label: "Changes" },
  ],
}

/** Pages that share one entry of the menu. */
export type Section = Readonly<{ label: string; tabs: readonly { readonly href: string; readonly label: string }[] }>

// With one seller, System links to these, and they have a tab only while they are open.
const FOLDED = [ORGANIZATIONS, USERS]

/** The pages beside this one in its section; none where the menu has an entry for each. */
export function sectionOf(place: VisitorPlace | null, active: string) {
  const isOne = SYSTEM_PAGES.tabs.some(({ href }) => href === active)
  if (!isOne || place?.hasSeveralSellers !== false) return undefined
  const tabs = SYSTEM_PAGES.tabs.filter(({ href }) => href === active || !FOLDED.includes(href))
  return { ...SYSTEM_PAGES, tabs, current: active }
}

const SALES_PAGES = [PRODUCTS, PRODUCT, FORMATS, FORMAT, AGENT_KEYS, AGENT_KEY, REQUESTS, REQUEST, LISTED]

const systemEntry = (count: number, covers: readonly string[]): NavigationEntry => ({
  href: SYSTEM,
  label: "System",
  icon: "server",
  count,
  covers: [BACKUP, ...covers],
})

/** What a visitor may open, and nothing else: for a visitor with one organization the menu is all there is. */
export function navigationOf(place: VisitorPlace): readonly NavigationGroup[] {
  const groups = [
    { title: null, entries: [...sellersEntry(place), ...workEntries(place)] },
    { title: "Settings", entries: settingsEntries(place) },
    { title: "Installation", entries: installationEntries(place) },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

export type Shortcut = Readonly<{ href: string; label: string; keys?: string }>

/** What is done most, with the keys that lead there. */
export function actionsOf({ organization, onlyBuys, role, isOperator }: VisitorPlace): Shortcut[] {
  if (organization === null) return []
  const base = `/app/o/${organization.slug}`
  const campaigns = { href: `${base}/campaigns`, label: "Campaigns", keys: "g c" }
  const people = { href: `${base}/members#invite`, label: "Invite someone" }
  if (onlyBuys) return [campaigns, ...(role === "admin" ? [people] : [])]
  return [
    { href: base, label: "Today", keys: "g h" },
    { href: `${base}/totals`, label: "Report totals", keys: "g t" },
    campaigns,
    ...(role === "admin" ? [{ href: `${base}/new-campaign`, label: "New campaign", keys: "n" }] : []),
    { href: `${base}/upload`, label: "Upload a file", keys: "g u" },
    ...(role === "admin" ? [{ href: `${base}/keys`, label: "Create an API key" }, people] : []),
    ...(isOperator ? [{ href: `${PRODUCTS}/new`, label: "New product" }] : []),
  ]
}

const sellersEntry = ({ isOperator, hasSeveralSellers }: VisitorPlace): NavigationEntry[] =>
  isOperator && hasSeveralSellers ? [{ href: SELLERS, label: "All sellers", icon: "list" }] : []

/** The entries that are there for this visitor. */
const entriesOf = (...entries: readonly (NavigationEntry | false)[]) => entries.filter((entry) => entry !== false)

function workEntries(place: VisitorPlace): NavigationEntry[] {
  const { organization, onlyBuys, hasCodes, hadKeys, hasLines, hasProducts, orders, isOperator, role } = place
  const base = `/app/o/${organization?.slug}`
  const agentSales: NavigationEntry | false = isOperator
    ? { href: AGENT_SALES, label: "Agent sales", icon: "message", covers: SALES_PAGES }
    : role === "admin" && hasProducts && { href: `${base}/products`, label: "Products", icon: "message" }
  if (organization === null) return isOperator ? entriesOf(setUpEntry("/app/set-up"), agentSales) : []
  const month = { href: `${base}/month`, label: "Month’s end" }
  const below = [
    { href: `${base}/upload`, label: "Upload" },
    ...(hadKeys ? [{ href: `${base}/feed-activity`, label: "Feed activity" }] : []),
  ]
  return entriesOf(
    !onlyBuys && { href: base, label: "Today", icon: "sun", count: countNeeds(place) },
    !isSetUp(place) && setUpEntry(`${base}/new-campaign?set-up`),
    { href: `${base}/campaigns`, label: "Campaigns", icon: "flag", below: hasLines && !onlyBuys ? [month] : [] },
    orders !== null && { href: `${base}/orders`, label: "Orders", icon: "list", count: orders },
    hasCodes && { href: `${base}/affiliates`, label: "Affiliates", icon: "tag" },
    !onlyBuys && { href: `${base}/totals`, label: "Delivery", icon: "inbox", below },
    agentSales,
  )
}

const setUpEntry = (href: string): NavigationEntry => ({ href, label: "Set up", icon: "check" })

/** A booth is set up once it has a line. An organization that only buys, and a member who may not make one, have nothing to set up. */
const isSetUp = ({ hasLines, onlyBuys, role }: VisitorPlace) => hasLines || onlyBuys || role !== "admin"

function settingsEntries(place: VisitorPlace): NavigationEntry[] {
  const { organization, role, onlyBuys, isOperator, hasSeveralSellers, systemNeeds } = place
  const system = isOperator && !hasSeveralSellers && systemEntry(systemNeeds.length, [ORGANIZATIONS, USERS, AUDIT])
  if (organization === null || role !== "admin") return entriesOf(system)
  const base = `/app/o/${organization.slug}`
  return entriesOf(
    !onlyBuys && { href: `${base}/keys`, label: "API keys", icon: "key" },
    { href: `${base}/members`, label: "People", icon: "people" },
    { href: `${base}/settings`, label: "Organization", icon: "sliders" },
    system,
  )
}

/** With one seller, all of that is behind "System". */
function installationEntries({ isOperator, hasSeveralSellers, systemNeeds }: VisitorPlace): NavigationEntry[] {
  if (!isOperator || !hasSeveralSellers) return []
  return [
    { href: ORGANIZATIONS, label: "Organizations", icon: "building" },
    { href: USERS, label: "All people", icon: "people" },
    systemEntry(systemNeeds.length, []),
    { href: AUDIT, label: "Changes", icon: "shield" },
  ]
}
