import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

export const DownstreamConnectionRequirement = s.ruled(
  Type.Object({
    connection_type: s.choice("advertiser_account publisher_identity post_authorization"),
    ...s.optional({
      provider: s.Text,
      required_for: s.unique(Type.String({ minLength: 1 })),
      scope: s.choice("account identity post unknown"),
      status: s.choice("connected missing pending expired revoked not_required unknown"),
      connection_id: s.Text,
      resource_ref: s.partial({
        ...s.fields(s.Text, "platform_account_id identity_id handle post_id"),
        profile_url: s.Url,
        post_url: s.Url,
      }),
      authorization_url: s.Url,
      authorization_instructions: s.Text,
      expires_at: s.Timestamp,
    }),
  }),
  s.when(s.is("status", "missing pending expired revoked"), s.hasAny("provider", "authorization_url")),
)

export const PlatformExtensionRef = Type.Object({
  uri: s.HttpsUrl,
  digest: Type.String({ pattern: "^sha256:[a-f0-9]{64}$" }),
})
