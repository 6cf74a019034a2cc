import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/values.ts"
import { AccountInput, ARGUMENT_ENTRIES_MAX, described, Pagination, toolInput } from "../arguments/input.ts"
import * as words from "../schema/vocabulary.ts"
import { ProductFilters } from "./product-filters.ts"

const Ask = Type.String({ minLength: 1, description: "What you want, in your own words." })

const RefineEntry = Type.Union([
  s.object({ scope: "request", ask: v.NonEmpty }),
  s.object({ scope: "product", product_id: v.NonEmpty, "action?": "include omit more_like_this", "ask?": Ask }),
  s.object({ scope: "proposal", proposal_id: v.NonEmpty, "action?": "include omit finalize", "ask?": Ask }),
])
export type RefineEntry = Static<typeof RefineEntry>

const Brand = s.object({ domain: v.Domain, "brand_id?": v.Text, "industries?": Type.Array(v.Text) })
const Catalog = Type.Object({ type: words.CatalogType })
const PropertyList = s.object({ agent_url: v.Url, list_id: v.NonEmpty, "auth_token?": v.Text })
const TimeBudget = s.object({ interval: v.AtLeastOne, unit: "seconds minutes hours days campaign" })

export const GetProductsInput = toolInput({
  buying_mode: described(
    s.choice("brief wholesale refine"),
    "brief ranks products by your brief, wholesale lists everything in a stable order, refine changes an earlier " +
      "answer. Default: brief.",
  ),
  brief: Type.String({
    description: "What the campaign is about, in plain words. Used with buying_mode brief.",
    examples: ["Podcast sponsorship for a new running shoe, Germany and Austria, spring"],
  }),
  refine: Type.Array(Type.Union([RefineEntry, Type.Null()]), {
    minItems: 1,
    maxItems: 100,
    description: "What to change. Used with buying_mode refine.",
  }),
  brand: described(Brand, "The advertised brand. It doesn't affect the answer."),
  catalog: described(Catalog, "The brand's product catalog. Requires brand. It doesn't affect the answer."),
  account: AccountInput,
  preferred_delivery_types: Type.Array(words.DeliveryType, {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    description: "Delivery types in order of preference. Ranks matching products higher and leaves nothing out.",
  }),
  filters: ProductFilters,
  property_list: described(PropertyList, "A list of properties. This agent doesn't fetch or apply it."),
  fields: Type.Array(v.Text, {
    minItems: 1,
    maxItems: 100,
    description:
      "Only these fields of each product, such as channels, placements, forecast, creative_policy or expires_at. " +
      "Required fields are always included. Unknown names are ignored.",
  }),
  time_budget: described(TimeBudget, "How long you can wait. Answers are immediate."),
  push_notification_config: Type.Object(
    { url: v.NonEmpty },
    { description: "Where to send later updates. Not used, because answers are immediate." },
  ),
  pagination: Pagination,
  if_wholesale_feed_version: Type.String({
    description: "The wholesale_feed_version you already have. If it is current, the answer only says so.",
  }),
  if_pricing_version: Type.String({
    description: "Prices aren't versioned separately. Requires if_wholesale_feed_version.",
  }),
  required_policies: Type.Array(v.Text, {
    maxItems: ARGUMENT_ENTRIES_MAX,
    description: "Only products that enforce all of these registry policies.",
  }),
})
export type GetProductsInput = Static<typeof GetProductsInput>
