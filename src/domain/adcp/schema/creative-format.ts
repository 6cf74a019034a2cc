import { type Static, Type } from "@sinclair/typebox"
import * as s from "../../schema/build.ts"
import * as v from "../../schema/build.ts"
import { AtLeastOne, fields, has, Identifier, object, ruled, Url, when } from "../../schema/build.ts"
import { FormatAsset } from "./creative-asset.ts"
import * as words from "./vocabulary.ts"
import { FormatKind } from "./vocabulary.ts"

const reference = {
  id: Identifier,
  "agent_url?": Url,
  ...fields(AtLeastOne, "width? height?"),
  "duration_ms?": Type.Number({ minimum: 1 }),
} as const

const hasBothSides = [when(has("width"), has("height")), when(has("height"), has("width"))]

/** Names a creative format. Without agent_url it's a format of this server. */
export const FormatRef = ruled(object(reference), ...hasBothSides)
export type FormatRef = Static<typeof FormatRef>

/** The same on a product. We can't look up the kind of another agent's format, so the product may say it. */
export const ProductFormatRef = ruled(object({ ...reference, "format_kind?": FormatKind }), ...hasBothSides)
export type ProductFormatRef = Static<typeof ProductFormatRef>

/** A reference as buyers see it. */
export type PublicRef = FormatRef & { readonly agent_url: string }

/** The reference with its agent_url. Every spelling of our own address becomes the same one. */
export function publicRef({ id, agent_url, width, height, duration_ms }: FormatRef, agentUrl: string): PublicRef {
  const isOwn = agent_url === undefined || canonicalUrl(agent_url) === canonicalUrl(agentUrl)
  return {
    agent_url: isOwn ? agentUrl : agent_url,
    id,
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(duration_ms !== undefined && { duration_ms }),
  }
}

/** Equal references have equal keys. */
export const refKey = (ref: FormatRef, agentUrl: string): string => {
  const { agent_url, id, width = 0, height = 0, duration_ms = 0 } = publicRef(ref, agentUrl)
  return `${canonicalUrl(agent_url)} ${id} ${width}x${height} ${duration_ms}`
}

export const haveSameParameters = (a: FormatRef, b: FormatRef): boolean =>
  a.width === b.width && a.height === b.height && a.duration_ms === b.duration_ms

/** Whether a reference names a format. An ID without a size or duration matches every one, on either side. */
export function namesSameFormat(a: FormatRef, b: FormatRef, agentUrl: string): boolean {
  if (a.id !== b.id || canonicalUrl(a.agent_url ?? agentUrl) !== canonicalUrl(b.agent_url ?? agentUrl)) return false
  const isSize = a.width === undefined || b.width === undefined || (a.width === b.width && a.height === b.height)
  return isSize && (a.duration_ms === undefined || b.duration_ms === undefined || a.duration_ms === b.duration_ms)
}

/** With the host in lower case, and without a default port or an empty path. */
export const canonicalUrl = (url: string): string => URL.parse(url)?.href ?? url

const Dimensions = s.partial({
  ...s.fields(v.Positive, "width height min_width min_height max_width max_height"),
  unit: words.DimensionUnit,
  responsive: Type.Object({ width: v.Flag, height: v.Flag }),
  aspect_ratio: v.Ratio,
})
export type Dimensions = Static<typeof Dimensions>

const Render = s.ruled(
  s.object({ role: v.Text, "dimensions?": Dimensions, "parameters_from_format_id?": Type.Literal(true) }),
  s.hasAny("dimensions", "parameters_from_format_id"),
  Type.Not(s.has("dimensions", "parameters_from_format_id")),
)

/** What the format is in AdCP's own terms: see `canonicalOf` if it's missing. A format that fits no kind is `custom`, and says its shape. */
const Canonical = s.ruled(
  s.object({
    kind: words.FormatKind,
    "asset_source?": s.choice(
      "buyer_uploaded publisher_host_recorded seller_pre_rendered_from_brief seller_human_designed",
      "agent_synthesized publisher_owned_reference",
    ),
    "slots_override?": s.nonEmpty(
      s.object({
        ...s.fields(v.Text, "asset_group_id asset_type"),
        "required?": v.Flag,
        "max_chars?": v.AtLeastOne,
        "consumed_for_production?": v.Flag,
      }),
    ),
    "format_shape?": Type.String({ title: "words such as newsletter_sponsorship", pattern: "^[a-z][a-z0-9_]*$" }),
  }),
  s.when(s.is("kind", "custom"), s.has("format_shape")),
)

const DisclosureCapability = Type.Object({
  position: words.DisclosurePosition,
  persistence: s.nonEmptySet(words.DisclosurePersistence),
})

/** A creative format as the operator writes it. Without agent_url, it's a format of this server. */
export const CreativeFormat = s.object({
  format_id: FormatRef,
  name: v.Text,
  "description?": v.Text,
  "canonical?": Canonical,
  "example_url?": v.Url,
  "accepts_parameters?": s.unique(s.choice("dimensions duration")),
  "renders?": s.nonEmpty(Render),
  "assets?": Type.Array(FormatAsset),
  "supported_macros?": Type.Array(v.Text),
  ...s.fields(Type.Array(FormatRef), "input_format_ids? output_format_ids?"),
  "accessibility?": s.object({ wcag_level: words.WcagLevel, "requires_accessible_assets?": v.Flag }),
  "supported_disclosure_positions?": s.nonEmptySet(words.DisclosurePosition),
  "disclosure_capabilities?": s.nonEmpty(DisclosureCapability),
  "reported_metrics?": s.nonEmptySet(words.AvailableMetric),
})
export type CreativeFormat = Static<typeof CreativeFormat>
