import { type TSchema, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { LogoSlot } from "../vocabulary.ts"

export const Size = s.closed({ width: s.AtLeastOne, height: s.AtLeastOne })

const exact = s.hasAny("width", "height")
const listed = s.has("sizes")
const ranged = s.hasAny("min_width", "max_width", "min_height", "max_height")

/** A canonical format gives its size in one way: width and height, a list of sizes, bounds, or not at all. */
export const OneSizeMode = Type.Union(
  [
    Type.Intersect([s.has("width", "height"), Type.Not(listed), Type.Not(ranged)]),
    Type.Intersect([listed, Type.Not(exact), Type.Not(ranged)]),
    Type.Intersect([ranged, Type.Not(exact), Type.Not(listed)]),
    Type.Intersect([Type.Not(exact), Type.Not(listed), Type.Not(ranged)]),
  ],
  { sentence: "give the size as width and height, or as sizes, or as minimum and maximum bounds, not as a mixture" },
)

const DownstreamConnectionRequirement = s.ruled(
  s.object({
    connection_type: "advertiser_account publisher_identity post_authorization",
    "provider?": s.Text,
    "required_for?": s.unique(s.NonEmpty),
    "scope?": "account identity post unknown",
    "status?": "connected missing pending expired revoked not_required unknown",
    "connection_id?": s.Text,
    "resource_ref?": s.partial({
      ...s.fields(s.Text, "platform_account_id identity_id handle post_id"),
      ...s.fields(s.Url, "profile_url post_url"),
    }),
    "authorization_url?": s.Url,
    "authorization_instructions?": s.Text,
    "expires_at?": s.Timestamp,
  }),
  s.when(s.is("status", "missing pending expired revoked"), s.hasAny("provider", "authorization_url")),
)

const Digest = Type.String({ pattern: "^sha256:[a-f0-9]{64}$" })
export const PlatformExtensionRef = Type.Object({ uri: s.HttpsUrl, digest: Digest })

const Version = Type.String({ pattern: "^[1-9]\\d*\\.(0|[1-9]\\d*)$" })
const SIZELESS = [
  "url catalog published_post html css javascript webhook daast vast card object",
  "pixel_tracker vast_tracker daast_tracker",
]

export const CanonicalBase = s.partial({
  ...s.fields(s.Flag, "experimental deprecated v1_translatable"),
  ...s.fields(Version, "since_version migration_target_version"),
  composition_model: "deterministic algorithmic",
  ...s.fields(s.Flag, "provenance_required synthesis_nondeterministic"),
  platform_extensions: Type.Array(PlatformExtensionRef),
  slots: Type.Array(
    s.ruled(
      s.object({
        asset_group_id: s.Text,
        asset_type: s.choice(
          "image video audio text markdown url html css javascript vast daast webhook brief catalog",
          "published_post zip card object pixel_tracker vast_tracker daast_tracker",
        ),
        "required?": s.Flag,
        "min?": s.Whole,
        ...s.fields(s.AtLeastOne, "max? max_chars? max_size_kb?"),
        ...s.fields(s.unique(LogoSlot), "logo_slots? required_logo_slots?"),
        "description?": s.Text,
        "consumed_for_production?": s.Flag,
      }),
      s.when(s.is("asset_type", "text markdown brief"), s.hasNone("max_size_kb")),
      s.when(s.is("asset_type", "image video audio zip"), s.hasNone("max_chars")),
      s.when(Type.Not(s.is("asset_group_id", "logo")), s.hasNone("logo_slots", "required_logo_slots")),
      s.when(s.is("asset_type", SIZELESS.join(" ")), s.hasNone("max_chars", "max_size_kb")),
    ),
  ),
  required_connections: Type.Array(DownstreamConnectionRequirement),
  reference_mutability: "immutable_snapshot mutable_requires_reapproval mutable_auto_recheck",
  production_window_business_days: s.Whole,
})

/** The parameters of a canonical format: its own, beside those that every kind has. */
export const canonical = <const Own extends s.Fields>(own: Own, ...rules: TSchema[]) =>
  s.ruled(s.partial(own), CanonicalBase, ...rules)

export const AssetSource = s.choice(
  "buyer_uploaded publisher_host_recorded seller_pre_rendered_from_brief seller_human_designed",
  "agent_synthesized publisher_owned_reference",
)

const CanonicalFormatKind = s.choice(
  "image html5 display_tag image_carousel video_hosted video_vast audio_hosted audio_daast",
  "sponsored_placement native_in_feed responsive_creative agent_placement custom",
)

const CanonicalProjectionSlotOverride = s.object({
  ...s.fields(s.Text, "asset_group_id asset_type"),
  "required?": s.Flag,
  "max_chars?": s.AtLeastOne,
  "consumed_for_production?": s.Flag,
})

export const CanonicalProjectionRef = s.object({
  kind: CanonicalFormatKind,
  "asset_source?": AssetSource,
  "slots_override?": s.nonEmpty(CanonicalProjectionSlotOverride),
})
