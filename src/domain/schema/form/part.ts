import { Kind, OptionalKind, type TSchema } from "@sinclair/typebox"

// A schema as the parts of a form. What no form can show well, such as an object with any fields, is left to JSON.

export type FormPart =
  | { readonly kind: "text" | "texts" | "json" }
  | { readonly kind: "number" | "numbers"; readonly whole: boolean; readonly signed: boolean }
  /** `only`: false cannot be said, the field is then left out. */
  | { readonly kind: "flag"; readonly only: boolean }
  | { readonly kind: "choice" | "choices"; readonly words: readonly string[] }
  | { readonly kind: "object"; readonly fields: readonly FormField[] }
  /** Rows, each of one of these shapes; a list of plain objects has one shape without a name. */
  | { readonly kind: "list"; readonly shapes: readonly RowShape[] }

export type FormField = Readonly<{ name: string; part: FormPart; required: boolean }>

export interface RowShape {
  readonly name: string
  readonly part: FormPart & { readonly kind: "object" }
  /** The fields that every row of this shape has, with their values. */
  readonly literals: Readonly<Record<string, unknown>>
}

interface Node extends TSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
  readonly enum?: readonly string[]
}

const JSON_PART: FormPart = { kind: "json" }

export function partOf(schema: TSchema): FormPart {
  const node = schema as Node
  // Rules between the fields of a shape follow it.
  if (node.allOf?.[0] !== undefined) return partOf(node.allOf[0])
  if (node.enum !== undefined) return { kind: "choice", words: node.enum }
  if (node["const"] === true) return { kind: "flag", only: true }
  return PARTS[node[Kind]]?.(node) ?? JSON_PART
}

const PARTS: Readonly<Record<string, (node: Node) => FormPart>> = {
  String: () => ({ kind: "text" }),
  Boolean: () => ({ kind: "flag", only: false }),
  Integer: (node) => ({ kind: "number", whole: true, signed: !isBoundedBelow(node) }),
  Number: (node) => ({ kind: "number", whole: false, signed: !isBoundedBelow(node) }),
  Array: ({ items }) => (items === undefined ? JSON_PART : listOf(items)),
  Object: objectOf,
}

const isBoundedBelow = (node: Node) => (node["minimum"] ?? node["exclusiveMinimum"] ?? -1) >= 0

function objectOf(node: Node): FormPart {
  const fields = Object.entries(node.properties ?? {}).map(([name, schema]) => ({
    name,
    part: partOf(schema),
    required: !(OptionalKind in schema),
  }))
  return fields.length === 0 ? JSON_PART : { kind: "object", fields }
}

function listOf(items: TSchema): FormPart {
  const variants = (items as Node).anyOf
  if (variants !== undefined) return rowsOf(variants)
  const part = partOf(items)
  if (part.kind === "text") return { kind: "texts" }
  if (part.kind === "choice") return { ...part, kind: "choices" }
  if (part.kind === "number") return { ...part, kind: "numbers" }
  return part.kind === "object" ? { kind: "list", shapes: [{ name: "", part, literals: {} }] } : JSON_PART
}

function rowsOf(variants: readonly TSchema[]): FormPart {
  const shapes = variants.map(shapeOf)
  const isNamed = shapes.every((shape): shape is RowShape => shape !== null && shape.name !== "")
  return isNamed ? { kind: "list", shapes } : JSON_PART
}

function shapeOf(variant: TSchema): RowShape | null {
  const properties = Object.entries((variant as Node).properties ?? {})
  const literals = Object.fromEntries(
    properties.filter(([, schema]) => "const" in schema).map(([name, schema]) => [name, schema["const"]]),
  )
  const whole = partOf(variant)
  if (whole.kind !== "object") return null
  const part = { ...whole, fields: whole.fields.filter(({ name }) => !(name in literals)) }
  // The last one tells most: an individual asset is of one of many types.
  return { name: String(Object.values(literals).at(-1) ?? ""), part, literals }
}
