import type { NavigationEntry, NavigationGroup } from "../frame/navigation.ts"

export const OPERATOR = "/app/operator"
export const ORGANIZATIONS = `${OPERATOR}/organizations`
export const USERS = `${OPERATOR}/users`
export const PRODUCTS = `${OPERATOR}/products`
export const FORMATS = `${OPERATOR}/formats`
export const AGENT_KEYS = `${OPERATOR}/agent-keys`
export const OPENINGS = `${OPERATOR}/openings`
export const DEMAND = `${OPERATOR}/demand`
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

export const OPERATOR_GROUPS: readonly NavigationGroup[] = [
  {
    title: null,
    entries: [
      { href: OPERATOR, label: "Overview", icon: "home" },
      { href: DEMAND, label: "Demand", icon: "message" },
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
