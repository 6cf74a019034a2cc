import { type TProperties, Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Flag, optional, Text, Whole } from "../../../schema/schema-helpers.ts"
import { AudioAssetRequirements, DaastAssetRequirements, VastAssetRequirements } from "./audio-requirements.ts"
import { CatalogRequirements } from "./catalog-requirements.ts"
import {
  CssAssetRequirements,
  HtmlAssetRequirements,
  JavascriptAssetRequirements,
  UrlAssetRequirements,
  WebhookAssetRequirements,
} from "./code-requirements.ts"
import { Overlay } from "./overlay.ts"
import { MarkdownAssetRequirements, TextAssetRequirements } from "./text-requirements.ts"
import { ImageAssetRequirements, VideoAssetRequirements } from "./visual-requirements.ts"

const requirementsByType = {
  image: ImageAssetRequirements,
  video: VideoAssetRequirements,
  audio: AudioAssetRequirements,
  text: TextAssetRequirements,
  markdown: MarkdownAssetRequirements,
  html: HtmlAssetRequirements,
  css: CssAssetRequirements,
  javascript: JavascriptAssetRequirements,
  vast: VastAssetRequirements,
  daast: DaastAssetRequirements,
  url: UrlAssetRequirements,
  webhook: WebhookAssetRequirements,
}

const always = {
  asset_id: Text,
  required: Flag,
  ...optional({ asset_role: Text, asset_group_id: Text, overlays: Type.Array(Overlay) }),
}

/** One shape per asset type, because each type has its own requirements. */
function assetsOf<Shared extends TProperties>(shared: Shared) {
  const withRequirements = Object.entries(requirementsByType).map(([type, requirements]) =>
    Type.Object({ ...shared, asset_type: Type.Literal(type), ...optional({ requirements }) }),
  )
  return [...withRequirements, Type.Object({ ...shared, asset_type: Type.Literal("zip") })]
}

const individual = { item_type: Type.Literal("individual"), ...always }

const RepeatableGroup = Type.Object({
  item_type: Type.Literal("repeatable_group"),
  asset_group_id: Text,
  required: Flag,
  min_count: Whole,
  max_count: AtLeastOne,
  assets: Type.Array(Type.Union(assetsOf(always))),
  ...optional({ selection_mode: choice("sequential optimize") }),
})

/** What a creative in this format is made of. */
export const FormatAsset = Type.Union([
  ...assetsOf(individual),
  Type.Object({ ...individual, asset_type: Type.Literal("brief") }),
  Type.Object({
    ...individual,
    asset_type: Type.Literal("catalog"),
    ...optional({ requirements: CatalogRequirements }),
  }),
  RepeatableGroup,
])
