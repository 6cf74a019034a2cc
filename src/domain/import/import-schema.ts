import { Type } from "@sinclair/typebox"
import { BrandRef } from "../adcp/schema/brand.ts"
import { CreativeFormat } from "../adcp/schema/format/creative-format.ts"
import { FormatRef } from "../adcp/schema/format/format-id.ts"
import { Product } from "../adcp/schema/product/product.ts"
import { onlyNamed } from "../schema/unsupported.ts"
import { ImportFile } from "./import-file.ts"

// Written once, however often others have them.
const SHARED = { BrandRef: onlyNamed(BrandRef), FormatRef: onlyNamed(FormatRef) }
const nameOf = new Map(Object.entries(SHARED).map(([name, shape]) => [JSON.stringify(shape), name]))

/** The schema as JSON, with references for the shared shapes inside it. */
function referring(schema: object): object {
  const refer = (_: string, value: unknown) => {
    const name = value === schema ? undefined : nameOf.get(JSON.stringify(value))
    return name === undefined ? value : { $ref: `#/$defs/${name}` }
  }
  return JSON.parse(JSON.stringify(schema, refer))
}

/** JSON Schema of the import file, with products and formats, for editors and other programs. */
export function importSchema(): object {
  const { formats, products } = ImportFile.properties
  const whole = Type.Object(
    {
      ...ImportFile.properties,
      formats: Type.Optional(Type.Array(onlyNamed(CreativeFormat), { description: formats.description ?? "" })),
      products: Type.Optional(Type.Array(onlyNamed(Product), { description: products.description ?? "" })),
    },
    { additionalProperties: false, description: ImportFile.description ?? "" },
  )
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A file for adbooth import",
    ...referring(whole),
    $defs: Object.fromEntries(Object.entries(SHARED).map(([name, shape]) => [name, referring(shape)])),
  }
}
