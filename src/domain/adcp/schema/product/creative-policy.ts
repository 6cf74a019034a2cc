import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

export const CreativePolicy = Type.Object({
  co_branding: s.choice("required optional none"),
  landing_page: s.choice("any retailer_site_only must_include_retailer"),
  templates_available: s.Flag,
  ...s.optional({
    provenance_required: s.Flag,
    provenance_requirements: s.partial({
      require_digital_source_type: s.Flag,
      require_disclosure_metadata: s.Flag,
      require_embedded_provenance: s.Flag,
    }),
    accepted_verifiers: s.nonEmpty(
      Type.Object(
        {
          agent_url: s.HttpsUrl,
          ...s.optional({ feature_id: s.Text, providers: s.nonEmptySet(s.Text) }),
        },
        s.closed,
      ),
    ),
  }),
})
