import { Type } from "@sinclair/typebox"
import { optional, Text } from "../../../schema/schema-helpers.ts"
import { ImageAsset } from "../format/image-asset.ts"

export const ProductCard = Type.Object(
  optional({
    image: ImageAsset,
    title: Type.String({ maxLength: 60 }),
    description: Type.String({ maxLength: 200 }),
    price_label: Type.String({ maxLength: 30 }),
    cta_label: Type.String({ maxLength: 25 }),
  }),
)

const Specification = Type.Object({ label: Type.String({ maxLength: 60 }), value: Type.String({ maxLength: 200 }) })

export const ProductCardDetailed = Type.Object(
  optional({
    hero_image: ImageAsset,
    carousel_images: Type.Array(ImageAsset),
    title: Text,
    description: Text,
    specifications: Type.Array(Specification),
    price_label: Text,
    cta_label: Text,
  }),
)
