import type { ImportedOrganization } from "../domain/import/import-file.ts"
import type { MemberRole } from "../domain/people/organization.ts"

// Two that sell, one that buys. None of them exists.
export const PODCASTS = "lighthouse-audio"
export const NEWS = "harbour-post"
export const TRAVEL = "fernweh-travel"

export const organizations: ImportedOrganization[] = [
  { slug: PODCASTS, name: "Lighthouse Audio", time_zone: "Europe/Berlin" },
  { slug: NEWS, name: "The Harbour Post", time_zone: "Europe/London" },
  { slug: TRAVEL, name: "Fernweh Travel", time_zone: "Europe/Vienna" },
]

export interface Person {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly membership: { readonly organization: string; readonly role: MemberRole } | null
  /** What the person can do, in a few words. */
  readonly does: string
}

export const people: readonly Person[] = [
  {
    email: "olga@adbooth.example",
    name: "Olga Operator",
    isOperator: true,
    membership: null,
    does: "operator: runs the installation",
  },
  {
    email: "ada@lighthouse.example",
    name: "Ada Brandt",
    isOperator: false,
    membership: { organization: PODCASTS, role: "admin" },
    does: "admin of Lighthouse Audio, which sells",
  },
  {
    email: "mo@lighthouse.example",
    name: "Mo Ferreira",
    isOperator: false,
    membership: { organization: PODCASTS, role: "member" },
    does: "member of Lighthouse Audio",
  },
  {
    email: "henry@harbour.example",
    name: "Henry Okafor",
    isOperator: false,
    membership: { organization: NEWS, role: "admin" },
    does: "admin of The Harbour Post, which sells",
  },
  {
    email: "flora@fernweh.example",
    name: "Flora Lindner",
    isOperator: false,
    membership: { organization: TRAVEL, role: "admin" },
    does: "admin of Fernweh Travel, which buys",
  },
]
