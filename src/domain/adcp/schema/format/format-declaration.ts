import { type TSchema, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { PlatformExtensionRef } from "../product/connection.ts"
import { Channel } from "../vocabulary.ts"
import { AudioDaastParams, AudioHostedParams } from "./canonical-audio.ts"
import { DisplayTagParams, Html5Params, ImageCarouselParams, ImageParams } from "./canonical-display.ts"
import {
  AgentPlacementParams,
  NativeInFeedParams,
  ResponsiveCreativeParams,
  SponsoredPlacementParams,
} from "./canonical-native.ts"
import { VideoHostedParams, VideoVastParams } from "./canonical-video.ts"
import { FormatRef } from "./format-id.ts"

const common = s.optional({
  format_option_id: s.Text,
  publisher_domain: s.Domain,
  display_name: s.Text,
  applies_to_channels: s.unique(Channel),
  seller_preference: s.choice("preferred accepted discouraged"),
  canonical_formats_only: s.Flag,
  experimental: s.Flag,
  v1_format_ref: s.nonEmpty(FormatRef),
})

const canonicalOnly = Type.Object({ canonical_formats_only: Type.Literal(true) })
const notBoth = Type.Not(Type.Intersect([canonicalOnly, s.has("v1_format_ref")]), {
  sentence: "canonical_formats_only and v1_format_ref exclude each other",
})
const noCapability = s.hasNone("capability_id")

function declaration<Kind extends string, Params extends TSchema>(kind: Kind, params: Params) {
  return s.ruled(
    Type.Object({ format_kind: Type.Literal(kind), params, ...common }),
    notBoth,
    noCapability,
    s.hasNone("format_shape", "format_schema"),
  )
}

const CustomDeclaration = s.ruled(
  Type.Object({
    format_kind: Type.Literal("custom"),
    params: s.AnyObject,
    format_shape: s.Text,
    format_schema: PlatformExtensionRef,
    ...common,
  }),
  notBoth,
  noCapability,
  Type.Union([canonicalOnly, s.has("v1_format_ref")], {
    sentence: "a custom format needs v1_format_ref or canonical_formats_only",
  }),
)

/** A format that a product accepts, as one of the protocol's canonical kinds. */
export const ProductFormatDeclaration = Type.Union([
  declaration("image", ImageParams),
  declaration("html5", Html5Params),
  declaration("display_tag", DisplayTagParams),
  declaration("image_carousel", ImageCarouselParams),
  declaration("video_hosted", VideoHostedParams),
  declaration("video_vast", VideoVastParams),
  declaration("audio_hosted", AudioHostedParams),
  declaration("audio_daast", AudioDaastParams),
  declaration("sponsored_placement", SponsoredPlacementParams),
  declaration("native_in_feed", NativeInFeedParams),
  declaration("responsive_creative", ResponsiveCreativeParams),
  declaration("agent_placement", AgentPlacementParams),
  CustomDeclaration,
])
