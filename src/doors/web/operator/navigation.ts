import type { NavigationEntry } from "../navigation.ts"

export const OPERATOR = "/app/operator"
export const ORGANIZATIONS = `${OPERATOR}/organizations`
export const USERS = `${OPERATOR}/users`
export const PRODUCTS = `${OPERATOR}/products`
export const FORMATS = `${OPERATOR}/formats`
export const AGENT_KEYS = `${OPERATOR}/agent-keys`
export const OPENINGS = `${OPERATOR}/openings`
export const CALLS = `${OPERATOR}/calls`
export const AUDIT = `${OPERATOR}/audit`
export const BACKUPS = `${OPERATOR}/backups`
export const SYSTEM = `${OPERATOR}/system`

export const OPERATOR_ENTRIES: readonly NavigationEntry[] = [
  { href: OPERATOR, label: "Overview" },
  { href: ORGANIZATIONS, label: "Organizations" },
  { href: USERS, label: "Users" },
  { href: PRODUCTS, label: "Products" },
  { href: FORMATS, label: "Formats" },
  { href: AGENT_KEYS, label: "Agent keys" },
  { href: OPENINGS, label: "Openings" },
  { href: CALLS, label: "Agent calls" },
  { href: AUDIT, label: "Audit trail" },
  { href: BACKUPS, label: "Backups" },
  { href: SYSTEM, label: "System" },
]

/** The address of an item of a list: ids may contain any character. */
export const at = (base: string, id: string | number, ...rest: string[]): string =>
  [base, encodeURIComponent(id), ...rest].join("/")

export const BACKUP = `${OPERATOR}/backup`
export const PRODUCT = `${OPERATOR}/product`
export const FORMAT = `${OPERATOR}/format`
export const AGENT_KEY = `${OPERATOR}/agent-key`
