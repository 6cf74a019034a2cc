import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
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
  asset_group_id: s.Text,
  asset_type: AssetContentType,
  ...s.optional({
    required: s.Flag,
    min_count: s.AtLeastOne,
    max_count: s.AtLeastOne,
    asset_requirements: AssetRequirements,
    ext: s.Ext,
  }),
})

const ScalarBinding = Type.Object({
  kind: Type.Literal("scalar"),
  asset_id: s.Text,
  catalog_field: s.Text,
  ...s.optional({ ext: s.Ext }),
})

const AssetPoolBinding = Type.Object({
  kind: Type.Literal("asset_pool"),
  asset_id: s.Text,
  asset_group_id: s.Text,
  ...s.optional({ ext: s.Ext }),
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
