import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { ProductFormatDeclaration } from "../format/format-declaration.ts"
import { FormatRef } from "../format/format-id.ts"
import {
  AudioDistributionType,
  SocialPlacementSurface,
  SponsoredPlacementType,
  VideoPlacementType,
} from "../vocabulary.ts"

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
      video_placement_types: s.nonEmptySet(VideoPlacementType),
      audio_distribution_types: s.nonEmptySet(AudioDistributionType),
      sponsored_placement_types: s.nonEmptySet(SponsoredPlacementType),
      social_placement_surfaces: s.nonEmptySet(SocialPlacementSurface),
    }),
  }),
  s.hasNone("visibility", "source", "origin", "delivery_mappings"),
  s.when(s.is("kind", "publisher_ref"), s.has("publisher_domain")),
  s.when(s.is("kind", "seller_inline"), s.has("name")),
  s.hasAny("name", "publisher_domain"),
)
