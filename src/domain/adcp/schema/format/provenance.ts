import { Type } from "@sinclair/typebox"
import {
  AtLeastOne,
  choice,
  closed,
  Ext,
  Flag,
  Fraction,
  HttpsUrl,
  optional,
  Text,
  Timestamp,
  Url,
} from "../../../schema/schema-helpers.ts"
import {
  C2paWatermarkAction,
  DigitalSourceType,
  DisclosurePersistence,
  DisclosurePosition,
  EmbeddedProvenanceMethod,
  WatermarkMediaType,
} from "../vocabulary.ts"

export const Provenance = Type.Object(
  optional({
    digital_source_type: DigitalSourceType,
    ai_tool: Type.Object({ name: Text, ...optional({ version: Text, provider: Text }) }),
    human_oversight: choice("none prompt_only selected edited directed"),
    declared_by: Type.Object({
      role: choice("creator advertiser agency platform tool"),
      ...optional({ agent_url: Url }),
    }),
    declared_at: Timestamp,
    created_time: Timestamp,
    c2pa: Type.Object({ manifest_url: Url }),
    embedded_provenance: Type.Array(
      Type.Object({
        method: EmbeddedProvenanceMethod,
        provider: Text,
        ...optional({
          standard: Text,
          verify_agent: Type.Object({ agent_url: HttpsUrl, ...optional({ feature_id: Text }) }, closed),
          embedded_at: Timestamp,
        }),
      }),
      { minItems: 1 },
    ),
    watermarks: Type.Array(
      Type.Object({
        media_type: WatermarkMediaType,
        provider: Text,
        ...optional({
          verify_agent: Type.Object({ agent_url: HttpsUrl, ...optional({ feature_id: Text }) }, closed),
          c2pa_action: C2paWatermarkAction,
          embedded_at: Timestamp,
        }),
      }),
      { minItems: 1 },
    ),
    disclosure: Type.Object({
      required: Flag,
      ...optional({
        jurisdictions: Type.Array(
          Type.Object({
            country: Text,
            regulation: Text,
            ...optional({
              region: Text,
              label_text: Text,
              render_guidance: Type.Object(
                optional({
                  persistence: DisclosurePersistence,
                  min_duration_ms: AtLeastOne,
                  positions: Type.Array(DisclosurePosition, { minItems: 1, uniqueItems: true }),
                  ext: Ext,
                }),
                { minProperties: 1 },
              ),
            }),
          }),
          { minItems: 1 },
        ),
      }),
    }),
    verification: Type.Array(
      Type.Object({
        verified_by: Text,
        result: choice("authentic ai_generated ai_modified inconclusive"),
        ...optional({ verified_time: Timestamp, confidence: Fraction, details_url: Url }),
      }),
      { minItems: 1 },
    ),
    ext: Ext,
  }),
)
