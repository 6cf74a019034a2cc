import { type Static, Type } from "@sinclair/typebox"
import { ExternalId, PackageId, PricingBasis } from "../campaign/package-line.ts"
import { KeyLabel } from "../keys/key-label.ts"
import { Territories } from "../keys/opening.ts"
import { MemberRole, Name, Slug } from "../people/organization.ts"
import { Email } from "../people/user.ts"

// The file that `adbooth import` reads and `adbooth export` writes. Unknown fields are refused, so that typos are found.
const closed = { additionalProperties: false } as const

const CalendarDate = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}$",
  title: "a date written YYYY-MM-DD",
})

const CurrencyCode = Type.String({
  pattern: "^[A-Z]{3}$",
  title: "an ISO 4217 code of three capital letters, such as EUR",
})

export const ImportedOrganization = Type.Object(
  {
    slug: Slug,
    name: Name,
    time_zone: Type.Optional(Type.String({ description: "An IANA time zone such as Europe/Berlin." })),
  },
  closed,
)

export const ImportedUser = Type.Object(
  {
    email: Email,
    name: Name,
    organization: Type.Optional(Slug),
    role: Type.Optional(MemberRole),
    operator: Type.Optional(Type.Boolean({ description: "Whether this person runs the installation." })),
  },
  closed,
)

const Archived = Type.Boolean({ description: "Whether lists leave it out. Without this field it stays as it is." })

export const ImportedLine = Type.Object(
  {
    package_id: Type.Optional(PackageId),
    seller: Slug,
    name: Name,
    pricing_basis: PricingBasis,
    flight_start: CalendarDate,
    flight_end: Type.Optional(Type.Union([CalendarDate, Type.Null()])),
    booked: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
    rate: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
    currency: Type.Optional(Type.Union([CurrencyCode, Type.Null()])),
    external_id: Type.Optional(Type.Union([ExternalId, Type.Null()])),
    archived: Type.Optional(Archived),
  },
  closed,
)

export const ImportedCampaign = Type.Object(
  {
    slug: Slug,
    name: Name,
    buyer: Slug,
    archived: Type.Optional(Archived),
    lines: Type.Optional(Type.Array(ImportedLine)),
  },
  closed,
)

export const ImportedAgentKey = Type.Object(
  {
    label: KeyLabel,
    opened: Type.Optional(
      Type.Array(Type.Object({ product_id: Type.String({ minLength: 1 }), territories: Territories }, closed)),
    ),
  },
  closed,
)

export const ImportFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    organizations: Type.Optional(Type.Array(ImportedOrganization)),
    users: Type.Optional(Type.Array(ImportedUser)),
    campaigns: Type.Optional(Type.Array(ImportedCampaign)),
    // AdCP objects: the catalogue checks them.
    formats: Type.Optional(Type.Array(Type.Unknown())),
    hidden_formats: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Ids of built-in formats that the agent does not offer.",
      }),
    ),
    products: Type.Optional(Type.Array(Type.Unknown())),
    agent_keys: Type.Optional(Type.Array(ImportedAgentKey)),
  },
  closed,
)

export type ImportFile = Static<typeof ImportFile>
export type ImportedOrganization = Static<typeof ImportedOrganization>
export type ImportedUser = Static<typeof ImportedUser>
export type ImportedCampaign = Static<typeof ImportedCampaign>
export type ImportedLine = Static<typeof ImportedLine>
export type ImportedAgentKey = Static<typeof ImportedAgentKey>
