import {
  Kind,
  type ObjectOptions,
  type Static,
  type TLiteral,
  type TOptional,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from "@sinclair/typebox"

// The building blocks of the catalog's schemas.

type Words<Text extends string, Found = never> = Text extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Found | Word>
  : Found | Text

TypeRegistry.Set<{ enum: readonly string[] }>("Choice", (schema, value) => schema.enum.includes(value as string))

/** One of the given words: `choice("guaranteed non_guaranteed")`. Several texts are one list. */
export const choice = <const Lines extends readonly string[]>(...lines: Lines) =>
  Type.Unsafe<Words<Lines[number]>>({ [Kind]: "Choice", type: "string", enum: lines.join(" ").split(" ") })

/** Several fields of one shape: `fields(Text, "name description?")`. */
export function fields<Shape extends TSchema, const Lines extends readonly string[]>(shape: Shape, ...lines: Lines) {
  const names = lines.join(" ").split(" ")
  return Object.fromEntries(names.map((name) => [name, shape])) as { [Name in Words<Lines[number]>]: Shape }
}

/** The fields of an object. A text stands for one of its words. */
export type Fields = Readonly<Record<string, TSchema | string>>

type ShapeOf<Field> = Field extends TSchema
  ? Field
  : Field extends `${string} ${string}`
    ? TUnsafe<Words<Field>>
    : TLiteral<Field & string>

function shapeOf(field: TSchema | string): TSchema {
  if (typeof field !== "string") return field
  return field.includes(" ") ? choice(field) : Type.Literal(field)
}

export function optional<const Given extends Fields>(given: Given) {
  const entries = Object.entries(given).map(([name, field]) => [name, Type.Optional(shapeOf(field))])
  return Object.fromEntries(entries) as { -readonly [Name in keyof Given]: TOptional<ShapeOf<Given[Name]>> }
}

/** An object whose fields may all be absent. */
export const partial = <const Given extends Fields>(given: Given, options: ObjectOptions = {}) =>
  Type.Object(optional(given), options)

type Named<Given> = {
  -readonly [Name in keyof Given as Name extends `${infer Short}?` ? Short : Name]: Name extends `${string}?`
    ? TOptional<ShapeOf<Given[Name]>>
    : ShapeOf<Given[Name]>
}

/** An object with these fields. A field whose name ends with "?" may be absent. */
export function object<const Given extends Fields>(given: Given, options: ObjectOptions = {}) {
  const entries = Object.entries(given).map(([name, field]) =>
    name.endsWith("?") ? [name.slice(0, -1), Type.Optional(shapeOf(field))] : [name, shapeOf(field)],
  )
  return Type.Object(Object.fromEntries(entries) as Named<Given>, options)
}

export const nonEmpty = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1 })
export const unique = <Item extends TSchema>(item: Item) => Type.Array(item, { uniqueItems: true })
export const nonEmptySet = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, uniqueItems: true })

/** A shape with rules between its fields. */
export const ruled = <Shape extends TSchema>(shape: Shape, ...rules: TSchema[]) =>
  Type.Unsafe<Static<Shape>>(Type.Intersect([shape, ...rules]))

export const has = (...names: string[]) => Type.Object(Object.fromEntries(names.map((name) => [name, Type.Unknown()])))

export const hasAny = (...names: string[]) => Type.Union(names.map((name) => has(name)))

export const hasNone = (...names: string[]) => Type.Not(hasAny(...names))

/** The field is present and has this value. */
export const is = (name: string, value: string) => Type.Object({ [name]: Type.Literal(value) })

export const when = (condition: TSchema, consequence: TSchema) =>
  Type.Union([Type.Not(condition), consequence], { rule: "when" })
