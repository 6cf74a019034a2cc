import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { LINE_COLUMNS } from "../campaign/line-fields.ts"
import { PackageId } from "../campaign/package-line.ts"
import { KeyLabel } from "../keys/api-key.ts"
import { Territories } from "../keys/opening.ts"
import { MemberRole, Name, Slug } from "../people/organization.ts"
import { Email } from "../people/user.ts"
import { type Fields, object } from "../schema/schema-helpers.ts"

// The file that `adbooth import` reads and `adbooth export` writes. Unknown fields are refused, so that typos are found.
const entry = <const Given extends Fields>(description: string, given: Given) =>
  object(given, { additionalProperties: false, description })

const about = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({ ...schema, description })

const list = <Schema extends TSchema>(schema: Schema, description: string) => Type.Array(schema, { description })

export const ImportedOrganization = entry("A company that sells or buys, identified by its slug.", {
  slug: about(Slug, "Identifies the organization, here and in commands. It cannot be changed later."),
  name: about(Name, "What people call it."),
  "time_zone?": Type.String({
    description: "An IANA time zone such as Europe/Berlin, in which its days begin. UTC unless set.",
  }),
})

export const ImportedUser = entry(
  "Someone who signs in to the app, identified by the email address. Someone in several organizations has an entry for each. An import makes accounts, but never changes the rights of one that is there: that is an error.",
  {
    email: about(Email, "Identifies the account, whatever its letter case."),
    name: about(Name, "The person's name."),
    "organization?": about(Slug, "The slug of an organization that the person belongs to."),
    "role?": about(
      MemberRole,
      "In that organization; member unless set. admin: keys, members and campaigns; member: sees and reports delivery.",
    ),
    "operator?": Type.Boolean({ description: "Whether this person runs the installation." }),
  },
)

const Archived = Type.Boolean({ description: "Whether lists leave it out. Without this field it stays as it is." })

export const ImportedLine = entry("A line: what one organization sells in a campaign.", {
  "package_id?": about(
    PackageId,
    "The line ID for the API, a UUID, which identifies the line. If left out, one is created.",
  ),
  seller: about(Slug, "The slug of the organization that sells the line and reports its delivery."),
  ...LINE_COLUMNS,
  "archived?": Archived,
})

export const ImportedCampaign = entry("What one organization buys, identified by its slug.", {
  slug: about(Slug, "Identifies the campaign."),
  name: about(Name, "What people call it."),
  buyer: about(Slug, "The slug of the organization that buys it."),
  "archived?": Archived,
  "lines?": list(ImportedLine, "Its lines."),
})

const ImportedOpening = entry("A product that is open to a buyer's key.", {
  product_id: Type.String({ minLength: 1, description: "The product that the key sees." }),
  territories: about(Territories, 'Where it is offered: ISO 3166-1 alpha-2 codes, or ["*"] for everywhere.'),
})

export const ImportedAgentKey = entry(
  "A buyer's key for the sales agent, identified by its label. The secret of a new one is printed once.",
  {
    label: about(KeyLabel, "Identifies the key: who has it."),
    "buyer?": Type.Union([Slug, Type.Null()], {
      description:
        "The slug of the organization whose purchases the key may read; null: none. Without this field it stays as it is.",
    }),
    "opened?": list(ImportedOpening, "Products to open to the key. Those that were opened before stay open."),
  },
)

const ProductSeller = entry("Whose product it is.", {
  product_id: Type.String({ minLength: 1, description: "The product." }),
  seller: Type.Union([Slug, Type.Null()], { description: "The slug of the organization; null: none in particular." }),
})

export const ImportFile = entry("Everything is optional. What the file leaves out stays as it is.", {
  "$schema?": Type.String({ description: "The address of a JSON Schema, for editors. It is ignored." }),
  "organizations?": list(ImportedOrganization, "Companies that sell or buy."),
  "users?": list(ImportedUser, "People who sign in to the app."),
  "campaigns?": list(ImportedCampaign, "Campaigns with their lines."),
  // AdCP objects: the catalogue checks them.
  "formats?": list(
    Type.Unknown(),
    "Your own creative formats: AdCP 3.1 format objects, identified by format_id.id. The ID of a built-in format replaces that format.",
  ),
  "hidden_formats?": list(Type.String({ minLength: 1 }), "IDs of built-in formats that the agent does not offer."),
  "products?": list(Type.Unknown(), "AdCP 3.1 product objects, identified by product_id."),
  "product_sellers?": list(
    ProductSeller,
    "Who sells which product, where several organizations sell. Those that are not listed stay as they are.",
  ),
  "agent_keys?": list(ImportedAgentKey, "Buyers' keys, and what each sees."),
  "stored_earlier?": entry(
    "Products and formats of this file with fields that an earlier version stored, and this one refuses: they are taken as they are. `adbooth export` writes it.",
    {
      "formats?": list(Type.String({ minLength: 1 }), "IDs of formats."),
      "products?": list(Type.String({ minLength: 1 }), "IDs of products."),
    },
  ),
})

export type ImportFile = Static<typeof ImportFile>
export type ImportedOrganization = Static<typeof ImportedOrganization>
export type ImportedUser = Static<typeof ImportedUser>
export type ImportedCampaign = Static<typeof ImportedCampaign>
export type ImportedLine = Static<typeof ImportedLine>
export type ImportedAgentKey = Static<typeof ImportedAgentKey>
