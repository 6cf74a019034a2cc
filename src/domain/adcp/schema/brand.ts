import { Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"
import { AtLeastOne, optional, Text, Url } from "../../schema/schema-helpers.ts"
import { DigitalSourceType, DisclosurePersistence, DisclosurePosition } from "./vocabulary.ts"

const Provenance = s.partial({
  digital_source_type: DigitalSourceType,
  ai_tool: Type.Object({ name: s.Text, ...s.optional({ version: s.Text, provider: s.Text }) }),
  human_oversight: s.choice("none prompt_only selected edited directed"),
  declared_by: Type.Object({
    role: s.choice("creator advertiser agency platform tool"),
    ...s.optional({ agent_url: s.Url }),
  }),
  declared_at: s.Timestamp,
  created_time: s.Timestamp,
  c2pa: Type.Object({ manifest_url: s.Url }),
  embedded_provenance: s.nonEmpty(
    Type.Object({
      method: s.choice("manifest_wrapper provenance_markers"),
      provider: s.Text,
      ...s.optional({
        standard: s.Text,
        verify_agent: Type.Object({ agent_url: s.HttpsUrl, ...s.optional({ feature_id: s.Text }) }, s.closed),
        embedded_at: s.Timestamp,
      }),
    }),
  ),
  watermarks: s.nonEmpty(
    Type.Object({
      media_type: s.choice("audio image video text"),
      provider: s.Text,
      ...s.optional({
        verify_agent: Type.Object({ agent_url: s.HttpsUrl, ...s.optional({ feature_id: s.Text }) }, s.closed),
        c2pa_action: s.choice("c2pa.watermarked.bound c2pa.watermarked.unbound"),
        embedded_at: s.Timestamp,
      }),
    }),
  ),
  disclosure: Type.Object({
    required: s.Flag,
    ...s.optional({
      jurisdictions: s.nonEmpty(
        Type.Object({
          country: s.Text,
          regulation: s.Text,
          ...s.optional({
            region: s.Text,
            label_text: s.Text,
            render_guidance: s.partial(
              {
                persistence: DisclosurePersistence,
                min_duration_ms: s.AtLeastOne,
                positions: s.nonEmptySet(DisclosurePosition),
                ext: s.Ext,
              },
              { minProperties: 1 },
            ),
          }),
        }),
      ),
    }),
  }),
  verification: s.nonEmpty(
    Type.Object({
      verified_by: s.Text,
      result: s.choice("authentic ai_generated ai_modified inconclusive"),
      ...s.optional({ verified_time: s.Timestamp, confidence: s.Fraction, details_url: s.Url }),
    }),
  ),
  ext: s.Ext,
})

export const ImageAsset = Type.Object({
  asset_type: Type.Literal("image"),
  url: Url,
  width: AtLeastOne,
  height: AtLeastOne,
  ...optional({ format: Text, alt_text: Text, provenance: Provenance }),
})

export const BrandRef = Type.Object(
  {
    domain: s.Domain,
    ...s.optional({
      brand_id: Type.String({ pattern: "^[a-z0-9_]+$" }),
      industries: Type.Array(s.Text),
      data_subject_contestation: s.ruled(
        s.partial({ url: s.HttpsUrl, email: s.Email, languages: Type.Array(s.Text) }, s.closed),
        s.hasAny("url", "email"),
      ),
      brand_kit_override: s.partial({
        logo: ImageAsset,
        colors: s.partial(s.fields(Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }), "primary secondary accent")),
        voice: s.Text,
        tagline: s.Text,
      }),
    }),
  },
  s.closed,
)
