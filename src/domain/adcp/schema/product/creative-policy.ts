import { Type } from "@sinclair/typebox"
import { closed, Flag, HttpsUrl, optional, Text } from "../../../schema/schema-helpers.ts"
import { CoBrandingRequirement, LandingPageRequirement } from "../vocabulary.ts"

export const CreativePolicy = Type.Object({
  co_branding: CoBrandingRequirement,
  landing_page: LandingPageRequirement,
  templates_available: Flag,
  ...optional({
    provenance_required: Flag,
    provenance_requirements: Type.Object(
      optional({
        require_digital_source_type: Flag,
        require_disclosure_metadata: Flag,
        require_embedded_provenance: Flag,
      }),
    ),
    accepted_verifiers: Type.Array(
      Type.Object(
        {
          agent_url: HttpsUrl,
          ...optional({ feature_id: Text, providers: Type.Array(Text, { minItems: 1, uniqueItems: true }) }),
        },
        closed,
      ),
      { minItems: 1 },
    ),
  }),
})
