import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/values.ts"
import { FormatRef } from "./format-ref.ts"
import * as words from "./vocabulary.ts"

const PropertyName = Type.String({ title: "lower-case letters, digits and _ only", pattern: "^[a-z0-9_]+$" })

// A product lists each publisher on its own. Other documents of AdCP have the plural.
const selection = <const Own extends s.Fields>(own: Own) =>
  s.ruled(s.object({ publisher_domain: v.Domain, ...own }), s.hasNone("publisher_domains"))

export const PublisherProperty = Type.Union([
  selection({ selection_type: "all" }),
  selection({ selection_type: "by_id", property_ids: s.nonEmpty(PropertyName) }),
  selection({ selection_type: "by_tag", property_tags: s.nonEmpty(PropertyName) }),
])
export type PublisherProperty = Static<typeof PublisherProperty>

export const placementTypes = s.optional({
  video_placement_types: s.nonEmptySet(words.VideoPlacementType),
  audio_distribution_types: s.nonEmptySet(words.AudioDistributionType),
  sponsored_placement_types: s.nonEmptySet(words.SponsoredPlacementType),
  social_placement_surfaces: s.nonEmptySet(words.SocialPlacementSurface),
})

export const Placement = s.ruled(
  s.object({
    kind: "publisher_ref seller_inline",
    placement_id: v.Text,
    mode: "targetable included",
    "publisher_domain?": v.Domain,
    ...s.fields(v.Text, "name? description?"),
    "tags?": s.unique(v.Text),
    "format_ids?": s.nonEmpty(FormatRef),
    ...placementTypes,
  }),
  s.when(s.is("kind", "publisher_ref"), s.has("publisher_domain")),
  s.when(s.is("kind", "seller_inline"), s.has("name")),
)
