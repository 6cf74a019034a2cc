import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { type LineFields, PRICING_BASES } from "./campaign/line.ts"
import { closed, type Fields, object } from "./schema/build.ts"

// The file that `adbooth import` reads and `adbooth export` writes. The schema checks its shape, and the actions check
// its texts.

const text = (description: string) => Type.String({ description })
const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const list = <Schema extends TSchema>(schema: Schema, description: string) => Type.Array(schema, { description })
const entry = <const Given extends Fields>(description: string, given: Given) => object(given, { description })

const ImportedOrganization = entry("A company that sells or buys.", {
  slug: text("Identifies the organization, here and in commands. It can't be changed later."),
  name: text("What people call it."),
  "time_zone?": text("The IANA time zone in which its days begin, such as Europe/Berlin. UTC unless set."),
  "address?": text("Printed on its statements."),
})

const ImportedUser = entry(
  "A person who signs in to the web app. Give a person in several organizations an entry for each.",
  {
    email: text("Identifies the account, regardless of case."),
    name: text("The person's name."),
    "organization?": text("The slug of an organization that the person belongs to."),
    "role?": Type.Unsafe<"admin" | "member">({
      ...Type.String({ enum: ["admin", "member"] }),
      description: "In that organization; member unless set. Admins also manage keys, people and campaigns.",
    }),
    "operator?": Type.Boolean({ description: "Whether the person runs this server." }),
  },
)

const ImportedLine = entry("What one organization sells in a campaign.", {
  "package_id?": text("The line ID (a UUID), by which systems report totals. If it's left out, one is created."),
  seller: text("The slug of the organization that sells the line and reports its delivery."),
  name: text("What people call it."),
  pricing_basis: Type.Unsafe<(typeof PRICING_BASES)[number]>({
    ...Type.String({ enum: [...PRICING_BASES] }),
    description: "What the line is priced on.",
  }),
  flight_start: text("The first day in the seller's time zone: YYYY-MM-DD."),
  "flight_end?": orNull(Type.String(), "The last day: YYYY-MM-DD, or null for a line without an end."),
  "booked?": orNull(Type.Number(), "How much was booked, in the unit of the pricing basis. Not for a flat rate."),
  "rate?": orNull(Type.Number(), "The price of 1,000 impressions or downloads, or the flat rate."),
  "currency?": orNull(Type.String(), "The currency of the rate, such as EUR. Required with a rate."),
  "external_id?": orNull(Type.String(), "The seller's own ID, or null for none."),
  "archived?": Type.Boolean({ description: "Whether lists hide it." }),
})

/** The fields that people edit, by their names in the file. */
export const LINE_FIELDS = {
  name: "name",
  pricingBasis: "pricing_basis",
  flightStart: "flight_start",
  flightEnd: "flight_end",
  booked: "booked",
  rate: "rate",
  currency: "currency",
  externalId: "external_id",
} as const satisfies Readonly<Record<keyof LineFields, keyof ImportedLine>>

const ImportedCampaign = entry("What one organization buys.", {
  slug: text("Identifies the campaign."),
  "owner?": text("The slug of the seller that created it in the web app. Slugs are unique for each seller."),
  name: text("What people call it."),
  buyer: text("The slug of the organization that buys it."),
  "archived?": Type.Boolean({ description: "Whether lists hide it." }),
  "lines?": list(ImportedLine, "Its lines."),
})

const ImportedOpening = entry("A product that a buyer key sees.", {
  product_id: text("The product."),
  territories: Type.Array(Type.String(), { description: 'Country codes such as "DE", or ["*"] for everywhere.' }),
})

const ImportedBuyerKey = entry("A key for a buyer's agent. The secret of a new key is printed once.", {
  label: text("The name of the agent or company that has the key. It identifies the key."),
  "buyer?": orNull(Type.String(), "The slug of the organization that the key acts for, or null."),
  "opened?": list(ImportedOpening, "Products to show to the key. Products that it sees already stay."),
})

const ProductSeller = entry("Which organization sells a product.", {
  product_id: text("The product."),
  seller: orNull(Type.String(), "The slug of the organization, or null."),
})

export const ImportFileSchema = closed(
  entry("Everything is optional. What the file leaves out stays as it is.", {
    "$schema?": text("The address of a JSON Schema, for editors. It's ignored."),
    "organizations?": list(ImportedOrganization, "Companies that sell or buy."),
    "users?": list(ImportedUser, "People who sign in to the web app."),
    "campaigns?": list(ImportedCampaign, "Campaigns with their lines."),
    "formats?": list(Type.Unknown(), "Your own creative formats: AdCP 3.1 format objects."),
    "hidden_formats?": list(Type.String(), "IDs of built-in formats that the sales agent doesn't offer."),
    "products?": list(Type.Unknown(), "AdCP 3.1 product objects."),
    "product_sellers?": list(ProductSeller, "Who sells which product. Products that aren't listed stay as they are."),
    "agent_keys?": list(ImportedBuyerKey, "Buyer keys, and what each of them sees."),
  }),
)

export type ImportFile = Static<typeof ImportFileSchema>
export type ImportedOrganization = Static<typeof ImportedOrganization>
export type ImportedUser = Static<typeof ImportedUser>
export type ImportedCampaign = Static<typeof ImportedCampaign>
export type ImportedLine = Static<typeof ImportedLine>
export type ImportedBuyerKey = Static<typeof ImportedBuyerKey>
