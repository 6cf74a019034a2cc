import { Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"
import { ImageAsset } from "./format/image-asset.ts"

export const BrandId = Type.String({ pattern: "^[a-z0-9_]+$" })

export const BrandRef = Type.Object(
  {
    domain: s.Domain,
    ...s.optional({
      brand_id: BrandId,
      industries: Type.Array(s.Text),
      data_subject_contestation: s.ruled(
        s.partial({ url: s.HttpsUrl, email: s.Email, languages: Type.Array(s.Text) }, s.closed),
        s.hasAny("url", "email"),
      ),
      brand_kit_override: s.partial({
        logo: ImageAsset,
        colors: s.partial({
          primary: Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }),
          secondary: Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }),
          accent: Type.String({ pattern: "^#[0-9a-fA-F]{6}$" }),
        }),
        voice: s.Text,
        tagline: s.Text,
      }),
    }),
  },
  s.closed,
)
