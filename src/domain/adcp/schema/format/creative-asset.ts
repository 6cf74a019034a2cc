import { type TProperties, Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { requirementsByType } from "./asset-requirements.ts"
import { CatalogRequirements } from "./catalog-requirements.ts"
import { Overlay } from "./overlay.ts"

const always = {
  asset_id: s.Text,
  required: s.Flag,
  ...s.optional({ asset_role: s.Text, asset_group_id: s.Text, overlays: Type.Array(Overlay) }),
}

/** One shape per asset type, each with its own requirements. */
function assetsOf<Shared extends TProperties>(shared: Shared) {
  const withRequirements = Object.entries(requirementsByType).map(([type, requirements]) =>
    Type.Object({ ...shared, asset_type: Type.Literal(type), ...s.optional({ requirements }) }),
  )
  return [...withRequirements, Type.Object({ ...shared, asset_type: Type.Literal("zip") })]
}

const individual = { item_type: Type.Literal("individual"), ...always }

const RepeatableGroup = Type.Object({
  item_type: Type.Literal("repeatable_group"),
  asset_group_id: s.Text,
  required: s.Flag,
  min_count: s.Whole,
  max_count: s.AtLeastOne,
  assets: Type.Array(Type.Union(assetsOf(always))),
  ...s.optional({ selection_mode: s.choice("sequential optimize") }),
})

/** What a creative in this format is made of. */
export const FormatAsset = Type.Union([
  ...assetsOf(individual),
  Type.Object({ ...individual, asset_type: Type.Literal("brief") }),
  Type.Object({
    ...individual,
    asset_type: Type.Literal("catalog"),
    ...s.optional({ requirements: CatalogRequirements }),
  }),
  RepeatableGroup,
])
