import { Type } from "@sinclair/typebox"
import { choice, Domain, has, optional, ruled, Text, when } from "../../../schema/schema-helpers.ts"
import { ProductFormatDeclaration } from "../format/format-declaration.ts"
import { FormatRef } from "../format/format-id.ts"
import {
  AudioDistributionType,
  SocialPlacementSurface,
  SponsoredPlacementType,
  VideoPlacementType,
} from "../vocabulary.ts"

export const Placement = ruled(
  Type.Object({
    kind: choice("publisher_ref seller_inline"),
    placement_id: Text,
    mode: choice("targetable included"),
    ...optional({
      publisher_domain: Domain,
      name: Text,
      description: Text,
      tags: Type.Array(Text, { uniqueItems: true }),
      format_ids: Type.Array(FormatRef, { minItems: 1 }),
      format_options: Type.Array(ProductFormatDeclaration, { minItems: 1 }),
      video_placement_types: Type.Array(VideoPlacementType, { minItems: 1, uniqueItems: true }),
      audio_distribution_types: Type.Array(AudioDistributionType, { minItems: 1, uniqueItems: true }),
      sponsored_placement_types: Type.Array(SponsoredPlacementType, { minItems: 1, uniqueItems: true }),
      social_placement_surfaces: Type.Array(SocialPlacementSurface, { minItems: 1, uniqueItems: true }),
    }),
  }),
  Type.Not(Type.Union([has("visibility"), has("source"), has("origin"), has("delivery_mappings")])),
  when(Type.Object({ kind: Type.Literal("publisher_ref") }), has("publisher_domain")),
  when(Type.Object({ kind: Type.Literal("seller_inline") }), has("name")),
  Type.Union([has("name"), has("publisher_domain")]),
)
