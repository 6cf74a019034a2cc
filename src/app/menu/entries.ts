import type { IconName } from "../parts/icon.tsx"
import type { MenuState } from "./state.ts"

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

export interface MenuGroup {
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
    hasCodes && { href: `${home}/affiliates`, label: "Affiliates", icon: "tag" },
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
