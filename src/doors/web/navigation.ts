import { OPERATOR_ENTRIES } from "./operator/navigation.ts"
import { isOrganizationVisit, type Visit } from "./visit.ts"

export interface NavigationEntry {
  readonly href: string
  readonly label: string
}

export interface NavigationGroup {
  readonly title: string
  readonly entries: readonly NavigationEntry[]
}

/** The navigation of this visitor: the pages of the current organization, and those of the operator. */
export function navigationOf(visit: Visit): NavigationGroup[] {
  if (visit.person === null) return []
  const organization = isOrganizationVisit(visit) ? visit.organization : (visit.person.organizations[0] ?? null)
  const isAdmin = isOrganizationVisit(visit) ? visit.role === "admin" : visit.person.organizations[0]?.role === "admin"
  const base = `/app/o/${organization?.slug}`
  return [
    ...(organization === null ? [] : [{ title: organization.name, entries: workEntries(base) }]),
    ...(organization === null || !isAdmin ? [] : [{ title: "Settings", entries: settingsEntries(base) }]),
    ...(visit.person.isOperator ? [{ title: "Operator", entries: OPERATOR_ENTRIES }] : []),
  ]
}

function workEntries(base: string): NavigationEntry[] {
  return [
    { href: `${base}/campaigns`, label: "Campaigns" },
    { href: `${base}/affiliates`, label: "Affiliates" },
    { href: `${base}/upload`, label: "Upload" },
  ]
}

function settingsEntries(base: string): NavigationEntry[] {
  return [
    { href: `${base}/keys`, label: "API keys" },
    { href: `${base}/members`, label: "Members" },
    { href: `${base}/settings`, label: "Organization" },
  ]
}
