import { Type } from "@sinclair/typebox"
import { CreativeFormat } from "../adcp/schema/format/creative-format.ts"
import { Product } from "../adcp/schema/product/product.ts"
import { ImportFile } from "./import-file.ts"

type Json = { readonly [key: string]: unknown }

// Shorter ones are easier to read where they stand.
const SHARED_CHARACTERS_MIN = 200

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** The same JSON Schema with every larger part that occurs more than once under `$defs`. */
function withSharedDefinitions(schema: object): object {
  const plain: unknown = JSON.parse(JSON.stringify(schema))
  const uses = new Map<string, number>()
  countUses(plain, uses)
  const names = new Map<string, string>()
  const definitions: Record<string, unknown> = {}
  const share = (part: unknown): unknown => {
    const text = JSON.stringify(part)
    if (!isObject(part) || text.length < SHARED_CHARACTERS_MIN || (uses.get(text) ?? 0) < 2) return inside(part, share)
    const existing = names.get(text)
    const name = existing ?? `part${names.size + 1}`
    if (existing === undefined) {
      names.set(text, name)
      definitions[name] = inside(part, share)
    }
    return { $ref: `#/$defs/${name}` }
  }
  const shared = inside(plain, share)
  return isObject(shared) ? { ...shared, $defs: definitions } : {}
}

function countUses(part: unknown, uses: Map<string, number>): void {
  const text = JSON.stringify(part)
  const before = uses.get(text) ?? 0
  uses.set(text, before + 1)
  // What stands in a part that is shared counts once.
  if (before === 0) inside(part, (below) => countUses(below, uses))
}

function inside(part: unknown, replace: (below: unknown) => unknown): unknown {
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([keyword, value]) => [keyword, replaced(keyword, value, replace)]),
  )
}

function replaced(keyword: string, value: unknown, replace: (below: unknown) => unknown): unknown {
  if (["items", "not", "additionalProperties"].includes(keyword)) return isObject(value) ? replace(value) : value
  if (["anyOf", "allOf", "oneOf"].includes(keyword) && Array.isArray(value)) return value.map(replace)
  if (!["properties", "patternProperties"].includes(keyword) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, below]) => [name, replace(below)]))
}

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
    ...withSharedDefinitions(whole),
  }
}
