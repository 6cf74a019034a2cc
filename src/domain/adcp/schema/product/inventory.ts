import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { ProductFormatDeclaration } from "../format/creative-format.ts"
import { FormatRef } from "../format/format-id.ts"
import * as words from "../vocabulary.ts"

const PropertyName = Type.String({ pattern: "^[a-z0-9_]+$" })
// A product lists each publisher separately; other documents of the protocol have the plural.
const onePublisher = s.hasNone("publisher_domains")

export const PublisherProperty = Type.Union([
  s.ruled(Type.Object({ publisher_domain: s.Domain, selection_type: Type.Literal("all") }), onePublisher),
  s.ruled(
    Type.Object({
      publisher_domain: s.Domain,
      selection_type: Type.Literal("by_id"),
      property_ids: s.nonEmpty(PropertyName),
    }),
    onePublisher,
  ),
  s.ruled(
    Type.Object({
      publisher_domain: s.Domain,
      selection_type: Type.Literal("by_tag"),
      property_tags: s.nonEmpty(PropertyName),
    }),
    onePublisher,
  ),
])
export type PublisherProperty = Static<typeof PublisherProperty>

export const CollectionSelector = Type.Object({
  publisher_domain: s.Domain,
  collection_ids: s.nonEmpty(s.Text),
})

export const Placement = s.ruled(
  Type.Object({
    kind: s.choice("publisher_ref seller_inline"),
    placement_id: s.Text,
    mode: s.choice("targetable included"),
    ...s.optional({
      publisher_domain: s.Domain,
      name: s.Text,
      description: s.Text,
      tags: s.unique(s.Text),
      format_ids: s.nonEmpty(FormatRef),
      format_options: s.nonEmpty(ProductFormatDeclaration),
      video_placement_types: s.nonEmptySet(words.VideoPlacementType),
      audio_distribution_types: s.nonEmptySet(words.AudioDistributionType),
      sponsored_placement_types: s.nonEmptySet(words.SponsoredPlacementType),
      social_placement_surfaces: s.nonEmptySet(words.SocialPlacementSurface),
    }),
  }),
  s.hasNone("visibility", "source", "origin", "delivery_mappings"),
  s.when(s.is("kind", "publisher_ref"), s.has("publisher_domain")),
  s.when(s.is("kind", "seller_inline"), s.has("name")),
  s.hasAny("name", "publisher_domain"),
)

const Special = Type.Object({
  name: s.Text,
  ...s.optional({ category: words.SpecialCategory, starts: s.Timestamp, ends: s.Timestamp }),
})

const Talent = Type.Object({
  role: s.choice("host guest creator cast narrator producer correspondent commentator analyst"),
  name: s.Text,
  ...s.optional({ brand_url: s.Url }),
})

const ContentRating = Type.Object({
  system: s.choice("tv_parental mpaa podcast esrb bbfc fsk acb chvrs csa pegi custom"),
  rating: s.Text,
})

const AdInventoryConfig = Type.Object({
  expected_breaks: s.Whole,
  ...s.optional({
    total_ad_seconds: s.Whole,
    max_ad_duration_seconds: s.AtLeastOne,
    unplanned_breaks: s.Flag,
    supported_formats: Type.Array(s.Text),
  }),
})

const MaterialDeadline = Type.Object({ stage: s.Text, due_at: s.Timestamp, ...s.optional({ label: s.Text }) })

const InstallmentDeadlines = s.partial(
  {
    booking_deadline: s.Timestamp,
    cancellation_deadline: s.Timestamp,
    material_deadlines: s.nonEmpty(MaterialDeadline),
  },
  { minProperties: 1 },
)

export const Installment = Type.Object({
  installment_id: s.Text,
  ...s.optional({
    ...s.fields(s.Text, "collection_id name season installment_number"),
    scheduled_at: s.Timestamp,
    status: s.choice("scheduled tentative live postponed cancelled aired published"),
    duration_seconds: s.Whole,
    flexible_end: s.Flag,
    valid_until: s.Timestamp,
    content_rating: ContentRating,
    topics: Type.Array(s.Text),
    special: Special,
    guest_talent: Type.Array(Talent),
    ad_inventory: AdInventoryConfig,
    deadlines: InstallmentDeadlines,
    derivative_of: Type.Object(
      { installment_id: s.Text, type: s.choice("clip highlight recap trailer bonus") },
      s.closed,
    ),
    ext: s.Ext,
  }),
})
