import { Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"
import { ImageAsset } from "./format/image-asset.ts"

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
