import type { IconName } from "../parts/icon.tsx"
import type { MenuState } from "./state.ts"

export interface MenuEntry {
  readonly href: string
  readonly label: string
  readonly icon?: IconName
  /** How much there needs somebody. */
  readonly count?: number
  readonly below?: readonly MenuEntry[]
}

export interface MenuGroup {
  /** The first group has no title. */
  readonly title?: string
  readonly entries: readonly MenuEntry[]
}

/** What the visitor may open, and nothing else. */
export function menuGroups(menu: MenuState): readonly MenuGroup[] {
  const groups = [
    { entries: workEntries(menu) },
    { title: "Agent sales", entries: agentEntries(menu) },
    { title: "Settings", entries: settingsEntries(menu) },
    { title: "Server", entries: serverEntries(menu) },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

function workEntries({ organization, role, user }: MenuState): readonly MenuEntry[] {
  if (organization === null) return user.isOperator ? [{ href: "/app/set-up", label: "Set up", icon: "check" }] : []
  const home = `/app/o/${organization.slug}`
  const delivery = [
    { href: `${home}/upload`, label: "Upload" },
    { href: `${home}/feed-activity`, label: "Feed activity" },
  ]
  const isReader = role === "admin" && !user.isOperator
  return [
    { href: home, label: "Today", icon: "sun" },
    {
      href: `${home}/campaigns`,
      label: "Campaigns",
      icon: "flag",
      below: [{ href: `${home}/statements`, label: "Statements" }],
    },
    { href: `${home}/orders`, label: "Orders", icon: "list" },
    { href: `${home}/affiliates`, label: "Affiliates", icon: "tag" },
    { href: `${home}/totals`, label: "Report totals", icon: "inbox", below: delivery },
    ...(isReader ? [{ href: `${home}/products`, label: "Products", icon: "message" } as const] : []),
  ]
}

function agentEntries({ user }: MenuState): readonly MenuEntry[] {
  if (!user.isOperator) return []
  return [
    { href: "/app/operator/requests", label: "Requests", icon: "message" },
    { href: "/app/operator/products", label: "Products", icon: "layout" },
    { href: "/app/operator/formats", label: "Formats", icon: "file" },
    { href: "/app/operator/buyer-keys", label: "Buyer keys", icon: "key" },
    { href: "/app/operator/agent-settings", label: "Agent settings", icon: "sliders" },
  ]
}

function settingsEntries({ organization, role }: MenuState): readonly MenuEntry[] {
  if (organization === null || role !== "admin") return []
  const home = `/app/o/${organization.slug}`
  return [
    { href: `${home}/keys`, label: "API keys", icon: "key" },
    { href: `${home}/people`, label: "People", icon: "people" },
    { href: `${home}/settings`, label: "Organization", icon: "sliders" },
  ]
}

function serverEntries({ user }: MenuState): readonly MenuEntry[] {
  if (!user.isOperator) return []
  return [
    { href: "/app/operator/sellers", label: "All sellers", icon: "list" },
    { href: "/app/operator/organizations", label: "Organizations", icon: "building" },
    { href: "/app/operator/users", label: "All people", icon: "people" },
    { href: "/app/operator/system", label: "System", icon: "server" },
    { href: "/app/operator/backups", label: "Backups", icon: "database" },
    { href: "/app/operator/changes", label: "Changes", icon: "shield" },
  ]
}

/** The entry that a page belongs to: the longest address that the page's address begins with. */
export function openEntry(groups: readonly MenuGroup[], { pathname: path }: URL): string {
  const pathname = path.replace(/\/new-campaign$/, "/campaigns")
  const entries = groups.flatMap((group) => group.entries).flatMap((entry) => [entry, ...(entry.below ?? [])])
  const fitting = entries.map(({ href }) => href).filter((href) => `${pathname}/`.startsWith(`${href}/`))
  return fitting.reduce((longest, href) => (href.length > longest.length ? href : longest), "")
}
