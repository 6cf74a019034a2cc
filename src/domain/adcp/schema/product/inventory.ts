import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { ProductFormatDeclaration } from "../format/creative-format.ts"
import { FormatRef } from "../format/format-id.ts"
import * as words from "../vocabulary.ts"

const PropertyName = Type.String({ pattern: "^[a-z0-9_]+$" })
// A product lists each publisher separately; other documents of the protocol have the plural.
const selection = <const Own extends s.Fields>(own: Own) =>
  s.ruled(s.object({ publisher_domain: s.Domain, ...own }), s.hasNone("publisher_domains"))

export const PublisherProperty = Type.Union([
  selection({ selection_type: "all" }),
  selection({ selection_type: "by_id", property_ids: s.nonEmpty(PropertyName) }),
  selection({ selection_type: "by_tag", property_tags: s.nonEmpty(PropertyName) }),
])
export type PublisherProperty = Static<typeof PublisherProperty>

export const CollectionSelector = Type.Object({ publisher_domain: s.Domain, collection_ids: s.nonEmpty(s.Text) })

export const placementTypes = s.optional({
  video_placement_types: s.nonEmptySet(words.VideoPlacementType),
  audio_distribution_types: s.nonEmptySet(words.AudioDistributionType),
  sponsored_placement_types: s.nonEmptySet(words.SponsoredPlacementType),
  social_placement_surfaces: s.nonEmptySet(words.SocialPlacementSurface),
})

export const Placement = s.ruled(
  s.object({
    kind: "publisher_ref seller_inline",
    placement_id: s.Text,
    mode: "targetable included",
    "publisher_domain?": s.Domain,
    ...s.fields(s.Text, "name? description?"),
    "tags?": s.unique(s.Text),
    "format_ids?": s.nonEmpty(FormatRef),
    "format_options?": s.nonEmpty(ProductFormatDeclaration),
    ...placementTypes,
  }),
  s.hasNone("visibility", "source", "origin", "delivery_mappings"),
  s.when(s.is("kind", "publisher_ref"), s.has("publisher_domain")),
  s.when(s.is("kind", "seller_inline"), s.has("name")),
  s.hasAny("name", "publisher_domain"),
)

const Special = s.object({
  name: s.Text,
  "category?": words.SpecialCategory,
  ...s.fields(s.Timestamp, "starts? ends?"),
})

const Talent = s.object({
  role: "host guest creator cast narrator producer correspondent commentator analyst",
  name: s.Text,
  "brand_url?": s.Url,
})

const ContentRating = s.object({
  system: "tv_parental mpaa podcast esrb bbfc fsk acb chvrs csa pegi custom",
  rating: s.Text,
})

const AdInventoryConfig = s.object({
  ...s.fields(s.Whole, "expected_breaks total_ad_seconds?"),
  "max_ad_duration_seconds?": s.AtLeastOne,
  "unplanned_breaks?": s.Flag,
  "supported_formats?": Type.Array(s.Text),
})

const MaterialDeadline = s.object({ stage: s.Text, due_at: s.Timestamp, "label?": s.Text })
const Deadlines = {
  ...s.fields(s.Timestamp, "booking_deadline cancellation_deadline"),
  material_deadlines: s.nonEmpty(MaterialDeadline),
}

export const Installment = s.object({
  ...s.fields(s.Text, "installment_id collection_id? name? season? installment_number?"),
  "scheduled_at?": s.Timestamp,
  "status?": "scheduled tentative live postponed cancelled aired published",
  "duration_seconds?": s.Whole,
  "flexible_end?": s.Flag,
  "valid_until?": s.Timestamp,
  "content_rating?": ContentRating,
  "topics?": Type.Array(s.Text),
  "special?": Special,
  "guest_talent?": Type.Array(Talent),
  "ad_inventory?": AdInventoryConfig,
  "deadlines?": s.partial(Deadlines, { minProperties: 1 }),
  "derivative_of?": s.closed({ installment_id: s.Text, type: "clip highlight recap trailer bonus" }),
  "ext?": s.Ext,
})
