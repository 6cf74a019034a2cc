import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Flag, has, optional, ruled, Text, Whole, when } from "../../../schema/schema-helpers.ts"
import { DownstreamConnectionRequirement, PlatformExtensionRef } from "../product/connection.ts"
import { LogoSlot } from "../vocabulary.ts"

export const CanonicalBase = Type.Object(
  optional({
    experimental: Flag,
    deprecated: Flag,
    v1_translatable: Flag,
    since_version: Type.String({ pattern: "^[1-9]\\d*\\.(0|[1-9]\\d*)$" }),
    migration_target_version: Type.String({ pattern: "^[1-9]\\d*\\.(0|[1-9]\\d*)$" }),
    composition_model: choice("deterministic algorithmic"),
    provenance_required: Flag,
    platform_extensions: Type.Array(PlatformExtensionRef),
    synthesis_nondeterministic: Flag,
    slots: Type.Array(
      ruled(
        Type.Object({
          asset_group_id: Text,
          asset_type: choice(
            "image video audio text markdown url html css javascript vast daast webhook brief catalog",
            "published_post zip card object pixel_tracker vast_tracker daast_tracker",
          ),
          ...optional({
            required: Flag,
            min: Whole,
            max: AtLeastOne,
            max_chars: AtLeastOne,
            max_size_kb: AtLeastOne,
            logo_slots: Type.Array(LogoSlot, { uniqueItems: true }),
            required_logo_slots: Type.Array(LogoSlot, { uniqueItems: true }),
            description: Text,
            consumed_for_production: Flag,
          }),
        }),
        when(Type.Object({ asset_type: choice("text markdown brief") }), Type.Not(has("max_size_kb"))),
        when(Type.Object({ asset_type: choice("image video audio zip") }), Type.Not(has("max_chars"))),
        when(
          Type.Not(Type.Object({ asset_group_id: Type.Literal("logo") })),
          Type.Not(Type.Union([has("logo_slots"), has("required_logo_slots")])),
        ),
        when(
          Type.Object({
            asset_type: choice(
              "url catalog published_post html css javascript webhook daast vast card object",
              "pixel_tracker vast_tracker daast_tracker",
            ),
          }),
          Type.Not(Type.Union([has("max_chars"), has("max_size_kb")])),
        ),
      ),
    ),
    required_connections: Type.Array(DownstreamConnectionRequirement),
    reference_mutability: choice("immutable_snapshot mutable_requires_reapproval mutable_auto_recheck"),
    production_window_business_days: Whole,
  }),
)
