import { Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"
import { DigitalSourceType, DisclosurePersistence, DisclosurePosition } from "./vocabulary.ts"

const VerifyAgent = s.closed({ agent_url: s.HttpsUrl, "feature_id?": s.Text })

const Provenance = s.partial({
  digital_source_type: DigitalSourceType,
  ai_tool: s.object(s.fields(s.Text, "name version? provider?")),
  human_oversight: "none prompt_only selected edited directed",
  declared_by: s.object({ role: "creator advertiser agency platform tool", "agent_url?": s.Url }),
  ...s.fields(s.Timestamp, "declared_at created_time"),
  c2pa: Type.Object({ manifest_url: s.Url }),
  embedded_provenance: s.nonEmpty(
    s.object({
      method: "manifest_wrapper provenance_markers",
      ...s.fields(s.Text, "provider standard?"),
      "verify_agent?": VerifyAgent,
      "embedded_at?": s.Timestamp,
    }),
  ),
  watermarks: s.nonEmpty(
    s.object({
      media_type: "audio image video text",
      provider: s.Text,
      "verify_agent?": VerifyAgent,
      "c2pa_action?": "c2pa.watermarked.bound c2pa.watermarked.unbound",
      "embedded_at?": s.Timestamp,
    }),
  ),
  disclosure: s.object({
    required: s.Flag,
    "jurisdictions?": s.nonEmpty(
      s.object({
        ...s.fields(s.Text, "country regulation region? label_text?"),
        "render_guidance?": s.partial(
          {
            persistence: DisclosurePersistence,
            min_duration_ms: s.AtLeastOne,
            positions: s.nonEmptySet(DisclosurePosition),
            ext: s.Ext,
          },
          { minProperties: 1 },
        ),
      }),
    ),
  }),
  verification: s.nonEmpty(
    s.object({
      verified_by: s.Text,
      result: "authentic ai_generated ai_modified inconclusive",
      "verified_time?": s.Timestamp,
      "confidence?": s.Fraction,
      "details_url?": s.Url,
    }),
  ),
  ext: s.Ext,
})

export const ImageAsset = s.object({
  asset_type: "image",
  url: s.Url,
  ...s.fields(s.AtLeastOne, "width height"),
  ...s.fields(s.Text, "format? alt_text?"),
  "provenance?": Provenance,
})

export const BrandRef = s.closed({
  domain: s.Domain,
  "brand_id?": Type.String({ pattern: "^[a-z0-9_]+$" }),
  "industries?": Type.Array(s.Text),
  "data_subject_contestation?": s.ruled(
    s.closed(s.optional({ url: s.HttpsUrl, email: s.Email, languages: Type.Array(s.Text) })),
    s.hasAny("url", "email"),
  ),
  "brand_kit_override?": s.partial({
    logo: ImageAsset,
    colors: s.partial(s.fields(Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }), "primary secondary accent")),
    ...s.fields(s.Text, "voice tagline"),
  }),
})
