import { Type } from "@sinclair/typebox"
import { closed, Domain, Email, HttpsUrl, has, optional, ruled, Text } from "../../schema/schema-helpers.ts"
import { ImageAsset } from "./format/image-asset.ts"

export const BrandId = Type.String({ pattern: "^[a-z0-9_]+$" })

export const BrandRef = Type.Object(
  {
    domain: Domain,
    ...optional({
      brand_id: BrandId,
      industries: Type.Array(Text),
      data_subject_contestation: ruled(
        Type.Object(optional({ url: HttpsUrl, email: Email, languages: Type.Array(Text) }), closed),
        Type.Union([has("url"), has("email")]),
      ),
      brand_kit_override: Type.Object(
        optional({
          logo: ImageAsset,
          colors: Type.Object(
            optional({
              primary: Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }),
              secondary: Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }),
              accent: Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }),
            }),
          ),
          voice: Text,
          tagline: Text,
        }),
      ),
    }),
  },
  closed,
)
