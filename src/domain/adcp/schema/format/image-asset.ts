import { Type } from "@sinclair/typebox"
import { AtLeastOne, optional, Text, Url } from "../../../schema/schema-helpers.ts"
import { Provenance } from "./provenance.ts"

export const ImageAsset = Type.Object({
  asset_type: Type.Literal("image"),
  url: Url,
  width: AtLeastOne,
  height: AtLeastOne,
  ...optional({ format: Text, alt_text: Text, provenance: Provenance }),
})
