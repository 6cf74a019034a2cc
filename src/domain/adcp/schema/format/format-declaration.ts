import { type TSchema, Type } from "@sinclair/typebox"
import { AnyObject, choice, Domain, Flag, has, optional, ruled, Text } from "../../../schema/schema-helpers.ts"
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

const common = optional({
  format_option_id: Text,
  publisher_domain: Domain,
  display_name: Text,
  applies_to_channels: Type.Array(Channel, { uniqueItems: true }),
  seller_preference: choice("preferred accepted discouraged"),
  canonical_formats_only: Flag,
  experimental: Flag,
  v1_format_ref: Type.Array(FormatRef, { minItems: 1 }),
})

const canonicalOnly = Type.Object({ canonical_formats_only: Type.Literal(true) })
const notBoth = Type.Not(Type.Intersect([canonicalOnly, has("v1_format_ref")]), {
  sentence: "canonical_formats_only and v1_format_ref exclude each other",
})
const noCapability = Type.Not(has("capability_id"))

function declaration<Kind extends string, Params extends TSchema>(kind: Kind, params: Params) {
  return ruled(
    Type.Object({ format_kind: Type.Literal(kind), params, ...common }),
    notBoth,
    noCapability,
    Type.Not(Type.Union([has("format_shape"), has("format_schema")])),
  )
}

const CustomDeclaration = ruled(
  Type.Object({
    format_kind: Type.Literal("custom"),
    params: AnyObject,
    format_shape: Text,
    format_schema: PlatformExtensionRef,
    ...common,
  }),
  notBoth,
  noCapability,
  Type.Union([canonicalOnly, has("v1_format_ref")], {
    sentence: "a custom format needs v1_format_ref or canonical_formats_only",
  }),
)

/** What a product accepts, said in the protocol's own canonical kinds. */
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
