import { Type } from "@sinclair/typebox"
import { AtLeastOne, Ext, Flag, optional, Text } from "../../../schema/schema-helpers.ts"
import { AssetContentType, CatalogType, FeedFormat } from "../vocabulary.ts"
import { AudioAssetRequirements, DaastAssetRequirements, VastAssetRequirements } from "./audio-requirements.ts"
import {
  CssAssetRequirements,
  HtmlAssetRequirements,
  JavascriptAssetRequirements,
  UrlAssetRequirements,
  WebhookAssetRequirements,
} from "./code-requirements.ts"
import { MarkdownAssetRequirements, TextAssetRequirements } from "./text-requirements.ts"
import { ImageAssetRequirements, VideoAssetRequirements } from "./visual-requirements.ts"

export const AssetRequirements = Type.Union([
  ImageAssetRequirements,
  VideoAssetRequirements,
  AudioAssetRequirements,
  TextAssetRequirements,
  MarkdownAssetRequirements,
  HtmlAssetRequirements,
  CssAssetRequirements,
  JavascriptAssetRequirements,
  VastAssetRequirements,
  DaastAssetRequirements,
  UrlAssetRequirements,
  WebhookAssetRequirements,
])

export const OfferingAssetConstraint = Type.Object({
  asset_group_id: Text,
  asset_type: AssetContentType,
  ...optional({
    required: Flag,
    min_count: AtLeastOne,
    max_count: AtLeastOne,
    asset_requirements: AssetRequirements,
    ext: Ext,
  }),
})

const ScalarBinding = Type.Object({
  kind: Type.Literal("scalar"),
  asset_id: Text,
  catalog_field: Text,
  ...optional({ ext: Ext }),
})

const AssetPoolBinding = Type.Object({
  kind: Type.Literal("asset_pool"),
  asset_id: Text,
  asset_group_id: Text,
  ...optional({ ext: Ext }),
})

export const CatalogFieldBinding = Type.Union([
  ScalarBinding,
  AssetPoolBinding,
  Type.Object({
    kind: Type.Literal("catalog_group"),
    format_group_id: Text,
    catalog_item: Type.Literal(true),
    ...optional({
      per_item_bindings: Type.Array(Type.Union([ScalarBinding, AssetPoolBinding]), { minItems: 1 }),
      ext: Ext,
    }),
  }),
])

export const CatalogRequirements = Type.Object({
  catalog_type: CatalogType,
  ...optional({
    required: Flag,
    min_items: AtLeastOne,
    max_items: AtLeastOne,
    required_fields: Type.Array(Text, { minItems: 1, uniqueItems: true }),
    feed_formats: Type.Array(FeedFormat, { minItems: 1, uniqueItems: true }),
    offering_asset_constraints: Type.Array(OfferingAssetConstraint, { minItems: 1, uniqueItems: true }),
    field_bindings: Type.Array(CatalogFieldBinding, { minItems: 1, uniqueItems: true }),
  }),
})
