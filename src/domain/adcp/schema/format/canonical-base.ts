import { type TProperties, type TSchema, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { DownstreamConnectionRequirement, PlatformExtensionRef } from "../product/connection.ts"
import { LogoSlot } from "../vocabulary.ts"

const CanonicalBase = s.partial({
  experimental: s.Flag,
  deprecated: s.Flag,
  v1_translatable: s.Flag,
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
