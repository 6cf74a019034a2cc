import { Type } from "@sinclair/typebox"
import { choice, HttpsUrl, has, optional, ruled, Text, Timestamp, Url, when } from "../../../schema/schema-helpers.ts"

export const DownstreamConnectionRequirement = ruled(
  Type.Object({
    connection_type: choice("advertiser_account publisher_identity post_authorization"),
    ...optional({
      provider: Text,
      required_for: Type.Array(Type.String({ minLength: 1 }), { uniqueItems: true }),
      scope: choice("account identity post unknown"),
      status: choice("connected missing pending expired revoked not_required unknown"),
      connection_id: Text,
      resource_ref: Type.Object(
        optional({
          platform_account_id: Text,
          identity_id: Text,
          handle: Text,
          profile_url: Url,
          post_id: Text,
          post_url: Url,
        }),
      ),
      authorization_url: Url,
      authorization_instructions: Text,
      expires_at: Timestamp,
    }),
  }),
  when(
    Type.Object({ status: choice("missing pending expired revoked") }),
    Type.Union([has("provider"), has("authorization_url")]),
  ),
)

export const PlatformExtensionRef = Type.Object({
  uri: HttpsUrl,
  digest: Type.String({ pattern: "^sha256:[a-f0-9]{64}$" }),
})
