import { Type } from "@sinclair/typebox"
import { Provenance } from "./provenance.ts"
import { AtLeastOne, optional, Text, Url } from "./shape.ts"

export const ImageAsset = Type.Object({
  asset_type: Type.Literal("image"),
  url: Url,
  width: AtLeastOne,
  height: AtLeastOne,
  ...optional({ format: Text, alt_text: Text, provenance: Provenance }),
})
