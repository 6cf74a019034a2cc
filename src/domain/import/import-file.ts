import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { LINE_COLUMNS } from "../campaign/line-fields.ts"
import { PackageId } from "../campaign/package-line.ts"
import { KeyLabel } from "../keys/api-key.ts"
import { Territories } from "../keys/opening.ts"
import { MemberRole, Name, Slug } from "../people/organization.ts"
import { Email } from "../people/user.ts"

// The file that `adbooth import` reads and `adbooth export` writes. Unknown fields are refused, so that typos are found.
const closed = { additionalProperties: false } as const

const about = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({ ...schema, description })

export const ImportedOrganization = Type.Object(
  {
    slug: about(Slug, "Identifies the organization, here and in commands. It cannot be changed later."),
    name: about(Name, "What people call it."),
    time_zone: Type.Optional(
      Type.String({ description: "An IANA time zone such as Europe/Berlin, in which its days begin. UTC unless set." }),
    ),
  },
  { ...closed, description: "A company that sells or buys, identified by its slug." },
)

export const ImportedUser = Type.Object(
  {
    email: about(Email, "Identifies the account, whatever its letter case."),
    name: about(Name, "The person's name."),
    organization: Type.Optional(about(Slug, "The slug of an organization that the person belongs to.")),
    role: Type.Optional(
      about(
        MemberRole,
        "In that organization; member unless set. admin: keys, members and campaigns; member: sees and reports delivery.",
      ),
    ),
    operator: Type.Optional(
      Type.Boolean({ description: "Whether this person runs the installation. Absent leaves it as it is." }),
    ),
  },
  {
    ...closed,
    description:
      "Someone who signs in to the app, identified by the email address. Someone in several organizations has an entry for each.",
  },
)

const Archived = Type.Boolean({ description: "Whether lists leave it out. Without this field it stays as it is." })

export const ImportedLine = Type.Object(
  {
    package_id: Type.Optional(
      about(PackageId, "The line ID for the API, a UUID, which identifies the line. If left out, one is created."),
    ),
    seller: about(Slug, "The slug of the organization that sells the line and reports its delivery."),
    ...LINE_COLUMNS,
    archived: Type.Optional(Archived),
  },
  { ...closed, description: "A line: what one organization sells in a campaign." },
)

export const ImportedCampaign = Type.Object(
  {
    slug: about(Slug, "Identifies the campaign."),
    name: about(Name, "What people call it."),
    buyer: about(Slug, "The slug of the organization that buys it."),
    archived: Type.Optional(Archived),
    lines: Type.Optional(Type.Array(ImportedLine, { description: "Its lines." })),
  },
  { ...closed, description: "What one organization buys, identified by its slug." },
)

const ImportedOpening = Type.Object(
  {
    product_id: Type.String({ minLength: 1, description: "The product that the key sees." }),
    territories: about(Territories, 'Where it is offered: ISO 3166-1 alpha-2 codes, or ["*"] for everywhere.'),
  },
  { ...closed, description: "A product that is open to a buyer's key." },
)

export const ImportedAgentKey = Type.Object(
  {
    label: about(KeyLabel, "Identifies the key: who has it."),
    buyer: Type.Optional(
      Type.Union([Slug, Type.Null()], {
        description:
          "The slug of the organization whose purchases the key may read; null: none. Without this field it stays as it is.",
      }),
    ),
    opened: Type.Optional(
      Type.Array(ImportedOpening, {
        description: "Products to open to the key. Those that were opened before stay open.",
      }),
    ),
  },
  {
    ...closed,
    description: "A buyer's key for the sales agent, identified by its label. The secret of a new one is printed once.",
  },
)

const ProductSeller = Type.Object(
  {
    product_id: Type.String({ minLength: 1, description: "The product." }),
    seller: Type.Union([Slug, Type.Null()], { description: "The slug of the organization; null: none in particular." }),
  },
  { ...closed, description: "Whose product it is." },
)

export const ImportFile = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: "The address of a JSON Schema, for editors. It is ignored." })),
    organizations: Type.Optional(Type.Array(ImportedOrganization, { description: "Companies that sell or buy." })),
    users: Type.Optional(Type.Array(ImportedUser, { description: "People who sign in to the app." })),
    campaigns: Type.Optional(Type.Array(ImportedCampaign, { description: "Campaigns with their lines." })),
    // AdCP objects: the catalogue checks them.
    formats: Type.Optional(
      Type.Array(Type.Unknown(), {
        description:
          "Your own creative formats: AdCP 3.1 format objects, identified by format_id.id. The ID of a built-in format replaces that format.",
      }),
    ),
    hidden_formats: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "IDs of built-in formats that the agent does not offer.",
      }),
    ),
    products: Type.Optional(
      Type.Array(Type.Unknown(), { description: "AdCP 3.1 product objects, identified by product_id." }),
    ),
    product_sellers: Type.Optional(
      Type.Array(ProductSeller, {
        description:
          "Who sells which product, where several organizations sell. Those that are not listed stay as they are.",
      }),
    ),
    agent_keys: Type.Optional(Type.Array(ImportedAgentKey, { description: "Buyers' keys, and what each sees." })),
  },
  { ...closed, description: "Everything is optional. What the file leaves out stays as it is." },
)

export type ImportFile = Static<typeof ImportFile>
export type ImportedOrganization = Static<typeof ImportedOrganization>
export type ImportedUser = Static<typeof ImportedUser>
export type ImportedCampaign = Static<typeof ImportedCampaign>
export type ImportedLine = Static<typeof ImportedLine>
export type ImportedAgentKey = Static<typeof ImportedAgentKey>
