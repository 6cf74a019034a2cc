import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { ImageAsset } from "../format/image-asset.ts"

export const ProductCard = s.partial({
  image: ImageAsset,
  title: Type.String({ maxLength: 60 }),
  description: Type.String({ maxLength: 200 }),
  price_label: Type.String({ maxLength: 30 }),
  cta_label: Type.String({ maxLength: 25 }),
})

const Specification = Type.Object({ label: Type.String({ maxLength: 60 }), value: Type.String({ maxLength: 200 }) })

export const ProductCardDetailed = s.partial({
  hero_image: ImageAsset,
  carousel_images: Type.Array(ImageAsset),
  ...s.fields(s.Text, "title description price_label cta_label"),
  specifications: Type.Array(Specification),
})
