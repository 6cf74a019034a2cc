import type { IconName } from "../parts/icon.tsx"
import { isOperatorPlace, type Place } from "./place.ts"

export const OPERATOR = "/app/operator"
export const ORGANIZATIONS = `${OPERATOR}/organizations`
export const USERS = `${OPERATOR}/users`
export const PRODUCTS = `${OPERATOR}/products`
export const FORMATS = `${OPERATOR}/formats`
export const AGENT_KEYS = `${OPERATOR}/agent-keys`
export const OPENINGS = `${OPERATOR}/openings`
/** Products, keys, requests and what buyers asked for: one entry of the menu, whose pages have tabs. */
export const AGENT_SALES = `${OPERATOR}/agent-sales`
export const CALLS = `${OPERATOR}/calls`
export const AUDIT = `${OPERATOR}/audit`
export const BACKUPS = `${OPERATOR}/backups`
export const SYSTEM = `${OPERATOR}/system`

const AGENT_ENTRIES: readonly NavigationEntry[] = [
  { href: PRODUCTS, label: "Products", icon: "box" },
  { href: FORMATS, label: "Formats", icon: "layout" },
  { href: OPENINGS, label: "Openings", icon: "door" },
  { href: AGENT_KEYS, label: "Agent keys", icon: "key" },
  { href: CALLS, label: "Agent calls", icon: "list" },
]

const INSTALLATION_ENTRIES: readonly NavigationEntry[] = [
  { href: ORGANIZATIONS, label: "Organizations", icon: "building" },
  { href: USERS, label: "Users", icon: "people" },
  { href: AUDIT, label: "Audit trail", icon: "shield" },
  { href: BACKUPS, label: "Backups", icon: "database" },
  { href: SYSTEM, label: "System", icon: "server" },
]

const OPERATOR_GROUPS: readonly NavigationGroup[] = [
  {
    title: null,
    entries: [
      { href: OPERATOR, label: "Overview", icon: "home" },
      { href: AGENT_SALES, label: "Agent sales", icon: "message" },
    ],
  },
  { title: "What agents see", entries: AGENT_ENTRIES },
  { title: "Installation", entries: INSTALLATION_ENTRIES },
]

/** The address of an item of a list: ids may contain any character. */
export const at = (base: string, id: string | number, ...rest: string[]): string =>
  [base, encodeURIComponent(id), ...rest].join("/")

export const BACKUP = `${OPERATOR}/backup`
export const PRODUCT = `${OPERATOR}/product`
export const FORMAT = `${OPERATOR}/format`
export const AGENT_KEY = `${OPERATOR}/agent-key`

interface NavigationEntry {
  readonly href: string
  readonly label: string
  readonly icon: IconName
  /** How much there needs somebody. */
  readonly count?: number | null
}

export interface NavigationGroup {
  /** The first group has no title. */
  readonly title: string | null
  readonly entries: readonly NavigationEntry[]
}

/** The pages of the organization that is being looked at, by what the visitor may do there, or those of the operator. */
export function navigationOf(place: Place): readonly NavigationGroup[] {
  if (isOperatorPlace(place)) return OPERATOR_GROUPS
  if (place.organization === null) return []
  const base = `/app/o/${place.organization.slug}`
  return [
    { title: null, entries: workEntries(base, place) },
    ...(place.role === "admin" ? [{ title: "Settings", entries: settingsEntries(base, place) }] : []),
  ]
}

function workEntries(base: string, { onlyBuys, needing }: Place): NavigationEntry[] {
  const selling = [
    { href: `${base}/upload`, label: "Upload", icon: "upload" },
    { href: `${base}/feed-activity`, label: "Feed activity", icon: "activity" },
  ] as const
  const today = { href: base, label: "Today", icon: "sun", count: needing } as const
  return [
    ...(onlyBuys ? [] : [today]),
    { href: `${base}/campaigns`, label: "Campaigns", icon: "flag" },
    { href: `${base}/affiliates`, label: "Affiliates", icon: "tag" },
    ...(onlyBuys ? [] : selling),
  ]
}

function settingsEntries(base: string, { onlyBuys }: Place): NavigationEntry[] {
  const keys = { href: `${base}/keys`, label: "API keys", icon: "key" } as const
  return [
    ...(onlyBuys ? [] : [keys]),
    { href: `${base}/members`, label: "Members", icon: "people" },
    { href: `${base}/settings`, label: "Organization", icon: "sliders" },
  ]
}
