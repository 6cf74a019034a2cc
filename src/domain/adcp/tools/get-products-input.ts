import { type Static, Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Domain, optional, Text, Url } from "../../schema/schema-helpers.ts"
import { CatalogType, DeliveryType } from "../schema/vocabulary.ts"
import { AccountInput, ARGUMENT_ENTRIES_MAX, described, Pagination, toolInput } from "./common-input.ts"
import { ProductFilters } from "./product-filters-input.ts"

const ask = Type.Optional(Type.String({ minLength: 1, description: "A wish in your own words." }))

const RefineEntry = Type.Union([
  Type.Object({ scope: Type.Literal("request"), ask: Type.String({ minLength: 1 }) }),
  Type.Object({
    scope: Type.Literal("product"),
    product_id: Type.String({ minLength: 1 }),
    action: Type.Optional(choice("include omit more_like_this")),
    ask,
  }),
  Type.Object({
    scope: Type.Literal("proposal"),
    proposal_id: Type.String({ minLength: 1 }),
    action: Type.Optional(choice("include omit finalize")),
    ask,
  }),
])
export type RefineEntry = Static<typeof RefineEntry>

const Brand = Type.Object({ domain: Domain, ...optional({ brand_id: Text, industries: Type.Array(Text) }) })
const Catalog = Type.Object({ type: CatalogType })
const PropertyList = Type.Object({
  agent_url: Url,
  list_id: Type.String({ minLength: 1 }),
  ...optional({ auth_token: Text }),
})
const TimeBudget = Type.Object({ interval: AtLeastOne, unit: choice("seconds minutes hours days campaign") })

export const GetProductsInput = toolInput({
  buying_mode: described(
    choice("brief wholesale refine"),
    "brief: ranked by your brief; wholesale: everything in a stable order; refine: changes to an earlier answer. Left out: brief.",
  ),
  brief: Type.String({
    description: "What the campaign is about, in plain words. For buying_mode brief.",
    examples: ["Podcast sponsorship for a new running shoe, Germany and Austria, spring"],
  }),
  refine: Type.Array(RefineEntry, {
    minItems: 1,
    maxItems: 100,
    description: "What to change. For buying_mode refine.",
  }),
  brand: described(Brand, "The brand that advertises. It does not change the answer."),
  catalog: described(Catalog, "A catalogue of the brand's goods; needs brand. It does not change the answer."),
  account: AccountInput,
  preferred_delivery_types: Type.Array(DeliveryType, {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    description: "Delivery types in your order of preference. Moves them up, leaves nothing out.",
  }),
  filters: ProductFilters,
  property_list: described(PropertyList, "A list of properties. We do not fetch it, so it is not applied."),
  fields: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: 100,
    description:
      "Only these fields of each product, such as channels, placements, forecast, creative_policy, expires_at or " +
      "brief_relevance, beside those that a product always has. Unknown names are ignored.",
  }),
  time_budget: described(TimeBudget, "How long you can wait. We answer at once."),
  push_notification_config: Type.Object(
    { url: Url },
    { description: "Where to report later. We answer at once, so it is not used." },
  ),
  pagination: Pagination,
  if_wholesale_feed_version: Type.String({
    description: "The wholesale_feed_version that you hold. While it stands, the answer is just unchanged.",
  }),
  if_pricing_version: Type.String({
    description: "Prices have no version of their own; needs if_wholesale_feed_version.",
  }),
  required_policies: Type.Array(Text, {
    maxItems: ARGUMENT_ENTRIES_MAX,
    description: "Only products that enforce all of these registry policies.",
  }),
})
export type GetProductsInput = Static<typeof GetProductsInput>
