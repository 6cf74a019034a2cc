import { Type } from "@sinclair/typebox"
import { CreativeFormat } from "../adcp/schema/format/creative-format.ts"
import { Product } from "../adcp/schema/product/product.ts"
import { ImportFile } from "./import-file.ts"

/** JSON Schema of the import file, with products and formats, for editors and other programs. */
export function importSchema(): object {
  const { formats, products } = ImportFile.properties
  const whole = Type.Object(
    {
      ...ImportFile.properties,
      formats: Type.Optional(Type.Array(CreativeFormat, { description: formats.description ?? "" })),
      products: Type.Optional(Type.Array(Product, { description: products.description ?? "" })),
    },
    { additionalProperties: false, description: ImportFile.description ?? "" },
  )
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A file for adbooth import",
    ...whole,
  }
}
