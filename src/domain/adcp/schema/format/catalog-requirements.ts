import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { AssetContentType, CatalogType, FeedFormat } from "../vocabulary.ts"
import { requirementsByType } from "./asset-requirements.ts"

export const OfferingAssetConstraint = Type.Object({
  asset_group_id: s.Text,
  asset_type: AssetContentType,
  ...s.optional({
    required: s.Flag,
    min_count: s.AtLeastOne,
    max_count: s.AtLeastOne,
    asset_requirements: Type.Union(Object.values(requirementsByType)),
    ext: s.Ext,
  }),
})

const ext = s.optional({ ext: s.Ext })
const ScalarBinding = Type.Object({
  kind: Type.Literal("scalar"),
  ...s.fields(s.Text, "asset_id catalog_field"),
  ...ext,
})
const AssetPoolBinding = Type.Object({
  kind: Type.Literal("asset_pool"),
  ...s.fields(s.Text, "asset_id asset_group_id"),
  ...ext,
})

export const CatalogFieldBinding = Type.Union([
  ScalarBinding,
  AssetPoolBinding,
  Type.Object({
    kind: Type.Literal("catalog_group"),
    format_group_id: s.Text,
    catalog_item: Type.Literal(true),
    ...s.optional({
      per_item_bindings: s.nonEmpty(Type.Union([ScalarBinding, AssetPoolBinding])),
      ext: s.Ext,
    }),
  }),
])

export const CatalogRequirements = Type.Object({
  catalog_type: CatalogType,
  ...s.optional({
    required: s.Flag,
    min_items: s.AtLeastOne,
    max_items: s.AtLeastOne,
    required_fields: s.nonEmptySet(s.Text),
    feed_formats: s.nonEmptySet(FeedFormat),
    offering_asset_constraints: s.nonEmptySet(OfferingAssetConstraint),
    field_bindings: s.nonEmptySet(CatalogFieldBinding),
  }),
})
