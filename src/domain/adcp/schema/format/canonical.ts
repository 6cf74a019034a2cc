import { type TProperties, type TSchema, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { LogoSlot } from "../vocabulary.ts"

export const Size = Type.Object({ width: s.AtLeastOne, height: s.AtLeastOne }, s.closed)

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
  Type.Object({
    connection_type: s.choice("advertiser_account publisher_identity post_authorization"),
    ...s.optional({
      provider: s.Text,
      required_for: s.unique(Type.String({ minLength: 1 })),
      scope: s.choice("account identity post unknown"),
      status: s.choice("connected missing pending expired revoked not_required unknown"),
      connection_id: s.Text,
      resource_ref: s.partial({
        ...s.fields(s.Text, "platform_account_id identity_id handle post_id"),
        profile_url: s.Url,
        post_url: s.Url,
      }),
      authorization_url: s.Url,
      authorization_instructions: s.Text,
      expires_at: s.Timestamp,
    }),
  }),
  s.when(s.is("status", "missing pending expired revoked"), s.hasAny("provider", "authorization_url")),
)

export const PlatformExtensionRef = Type.Object({
  uri: s.HttpsUrl,
  digest: Type.String({ pattern: "^sha256:[a-f0-9]{64}$" }),
})

const CanonicalBase = s.partial({
  ...s.fields(s.Flag, "experimental deprecated v1_translatable"),
  since_version: Type.String({ pattern: "^[1-9]\\d*\\.(0|[1-9]\\d*)$" }),
  migration_target_version: Type.String({ pattern: "^[1-9]\\d*\\.(0|[1-9]\\d*)$" }),
  composition_model: s.choice("deterministic algorithmic"),
  provenance_required: s.Flag,
  platform_extensions: Type.Array(PlatformExtensionRef),
  synthesis_nondeterministic: s.Flag,
  slots: Type.Array(
    s.ruled(
      Type.Object({
        asset_group_id: s.Text,
        asset_type: s.choice(
          "image video audio text markdown url html css javascript vast daast webhook brief catalog",
          "published_post zip card object pixel_tracker vast_tracker daast_tracker",
        ),
        ...s.optional({
          required: s.Flag,
          min: s.Whole,
          ...s.fields(s.AtLeastOne, "max max_chars max_size_kb"),
          logo_slots: s.unique(LogoSlot),
          required_logo_slots: s.unique(LogoSlot),
          description: s.Text,
          consumed_for_production: s.Flag,
        }),
      }),
      s.when(s.is("asset_type", "text markdown brief"), s.hasNone("max_size_kb")),
      s.when(s.is("asset_type", "image video audio zip"), s.hasNone("max_chars")),
      s.when(Type.Not(s.is("asset_group_id", "logo")), s.hasNone("logo_slots", "required_logo_slots")),
      s.when(
        s.is(
          "asset_type",
          "url catalog published_post html css javascript webhook daast vast card object pixel_tracker vast_tracker daast_tracker",
        ),
        s.hasNone("max_chars", "max_size_kb"),
      ),
    ),
  ),
  required_connections: Type.Array(DownstreamConnectionRequirement),
  reference_mutability: s.choice("immutable_snapshot mutable_requires_reapproval mutable_auto_recheck"),
  production_window_business_days: s.Whole,
})

/** The parameters of a canonical format: its own, beside those that every kind has. */
export function canonical<Fields extends TProperties>(own: Fields, ...rules: TSchema[]) {
  return s.ruled(s.partial(own), CanonicalBase, ...rules)
}

export const AssetSource = s.choice(
  "buyer_uploaded publisher_host_recorded seller_pre_rendered_from_brief seller_human_designed",
  "agent_synthesized publisher_owned_reference",
)

const CanonicalFormatKind = s.choice(
  "image html5 display_tag image_carousel video_hosted video_vast audio_hosted audio_daast",
  "sponsored_placement native_in_feed responsive_creative agent_placement custom",
)

const CanonicalProjectionSlotOverride = Type.Object({
  asset_group_id: s.Text,
  asset_type: s.Text,
  ...s.optional({ required: s.Flag, max_chars: s.AtLeastOne, consumed_for_production: s.Flag }),
})

export const CanonicalProjectionRef = Type.Object({
  kind: CanonicalFormatKind,
  ...s.optional({
    asset_source: AssetSource,
    slots_override: s.nonEmpty(CanonicalProjectionSlotOverride),
  }),
})
