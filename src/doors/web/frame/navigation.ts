import { OPERATOR_GROUPS } from "../operator/navigation.ts"
import type { IconName } from "../parts/icon.tsx"
import { isOperatorPlace, type Place } from "./place.ts"

export interface NavigationEntry {
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
