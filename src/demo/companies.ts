import type { ImportedOrganization } from "../domain/import/import-file.ts"
import type { MemberRole } from "../domain/people/organization.ts"

// Two that sell, and those that buy. None of them exists.
export const PODCASTS = "lighthouse-audio"
export const NEWS = "harbour-post"
export const TRAVEL = "fernweh-travel"

const BUYERS: Readonly<Record<string, string>> = {
  tulpenhof: "Tulpenhof",
  "moewe-outfitters": "Möwe Outfitters",
  kaffeewerk: "Kaffeewerk",
  "nordlicht-rail": "Nordlicht Rail",
  "windkraft-nord": "Windkraft Nord",
  "hanse-museum": "Hanse Museum",
  "klinge-co": "Klinge & Co",
  bergfest: "Bergfest",
  kontorbuch: "Kontorbuch",
}

export const organizations: ImportedOrganization[] = [
  { slug: PODCASTS, name: "Lighthouse Audio", time_zone: "Europe/Berlin" },
  { slug: NEWS, name: "The Harbour Post", time_zone: "Europe/London" },
  { slug: TRAVEL, name: "Fernweh Travel", time_zone: "Europe/Vienna" },
  ...Object.entries(BUYERS).map(([slug, name]) => ({ slug, name, time_zone: "Europe/Berlin" })),
]

export interface Person {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly membership: { readonly organization: string; readonly role: MemberRole } | null
  /** What the person can do, in a few words. */
  readonly does: string
}

const person = (email: string, name: string, does: string, membership: Person["membership"]): Person => ({
  email,
  name,
  isOperator: membership === null,
  membership,
  does,
})

export const people: readonly Person[] = [
  person("olga@adbooth.example", "Olga Operator", "operator: runs the installation", null),
  person("ada@lighthouse.example", "Ada Brandt", "admin of Lighthouse Audio, which sells", {
    organization: PODCASTS,
    role: "admin",
  }),
  person("mo@lighthouse.example", "Mo Ferreira", "member of Lighthouse Audio", {
    organization: PODCASTS,
    role: "member",
  }),
  person("henry@harbour.example", "Henry Okafor", "admin of The Harbour Post, which sells", {
    organization: NEWS,
    role: "admin",
  }),
  person("flora@fernweh.example", "Flora Lindner", "admin of Fernweh Travel, which buys", {
    organization: TRAVEL,
    role: "admin",
  }),
]
