import type { ObjectOptions, Static, TLiteral, TLiteralValue, TOptional, TSchema, TUnsafe } from "@sinclair/typebox"
import { Kind, Type, TypeRegistry } from "@sinclair/typebox"
import { DAY_PATTERN, MOMENT_PATTERN } from "../time/moment.ts"

// The building blocks of the catalogue's schemas. Where AdCP names a format we give a pattern, because a pattern means the same to
// every JSON Schema validator.

type Words<S extends string, Found = never> = S extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Found | Word>
  : Found | S

TypeRegistry.Set<{ enum: readonly string[] }>("Choice", (schema, value) => schema.enum.includes(value as string))

/** One of the given words. Words are separated by spaces; several lines are one list. */
export const choice = <const Lines extends readonly string[]>(...lines: Lines) =>
  Type.Unsafe<Words<Lines[number]>>({ [Kind]: "Choice", type: "string", enum: lines.join(" ").split(" ") })

/** One of the given values, each with a schema of its own. */
export const literals = <const Value extends TLiteralValue>(values: readonly Value[], description?: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    description === undefined ? {} : { description },
  )

/** Several fields of one shape. Names are separated by spaces; several lines are one list. */
export function fields<Shape extends TSchema, const Lines extends readonly string[]>(shape: Shape, ...lines: Lines) {
  const names = lines.join(" ").split(" ")
  return Object.fromEntries(names.map((name) => [name, shape])) as { [Name in Words<Lines[number]>]: Shape }
}

/** The fields of an object: a text stands for one of its words. */
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

export const partial = <const Given extends Fields>(given: Given, options: ObjectOptions = {}) =>
  Type.Object(optional(given), options)

type Named<Given> = {
  -readonly [Name in keyof Given as Name extends `${infer Short}?` ? Short : Name]: Name extends `${string}?`
    ? TOptional<ShapeOf<Given[Name]>>
    : ShapeOf<Given[Name]>
}

/** An object with these fields. Those whose names end with "?" may be absent. */
export function object<const Given extends Fields>(given: Given, options: ObjectOptions = {}) {
  const entries = Object.entries(given).map(([name, field]) =>
    name.endsWith("?") ? [name.slice(0, -1), Type.Optional(shapeOf(field))] : [name, shapeOf(field)],
  )
  return Type.Object(Object.fromEntries(entries) as Named<Given>, options)
}

/** The same without any other fields. */
export const closed = <const Given extends Fields>(given: Given) => object(given, { additionalProperties: false })

export const nonEmpty = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1 })
export const unique = <Item extends TSchema>(item: Item) => Type.Array(item, { uniqueItems: true })
export const nonEmptySet = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, uniqueItems: true })

export const ruled = <Shape extends TSchema>(shape: Shape, ...rules: TSchema[]) =>
  Type.Unsafe<Static<Shape>>(Type.Intersect([shape, ...rules]))

export const has = (...names: string[]) => Type.Object(Object.fromEntries(names.map((name) => [name, Type.Unknown()])))

export const hasAny = (...names: string[]) => Type.Union(names.map((name) => has(name)))

export const hasNone = (...names: string[]) => Type.Not(hasAny(...names))

/** The field is present and holds this value, or one of these words. */
export const is = (name: string, value: string | boolean) =>
  Type.Object({ [name]: String(value).includes(" ") ? choice(String(value)) : Type.Literal(value) })

export const when = (condition: TSchema, consequence: TSchema) =>
  Type.Union([Type.Not(condition), consequence], { rule: "when" })

export const Text = Type.String()
export const NonEmpty = Type.String({ minLength: 1 })
export const Flag = Type.Boolean()
export const Whole = Type.Integer({ minimum: 0 })
export const AtLeastOne = Type.Integer({ minimum: 1 })
export const Amount = Type.Number({ minimum: 0 })
export const Positive = Type.Number({ exclusiveMinimum: 0 })
export const Fraction = Type.Number({ minimum: 0, maximum: 1 })
export const Percent = Type.Number({ minimum: 0, maximum: 100 })
export const AnyObject = Type.Object({})
export const Ext = AnyObject
export const DryRun = Type.Literal(true, { description: "Present when nothing was written because of dry_run." })

// Ours: longer than any real address, short enough to be checked fast.
const ADDRESS_CHARACTERS_MAX = 8_000

export const Identifier = Type.String({ title: "letters, digits, _ and - only", pattern: "^[a-zA-Z0-9_-]+$" })
export const Currency = Type.String({ title: "a currency code such as EUR", pattern: "^[A-Z]{3}$" })
export const Country = Type.String({ title: "a country code such as DE", pattern: "^[A-Z]{2}$" })
export const Ratio = Type.String({ title: "a ratio such as 16:9", pattern: "^[0-9]+(\\.[0-9]+)?:[0-9]+(\\.[0-9]+)?$" })
export const Domain = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "a lower-case domain such as example.com",
  pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
})

const label = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
const host = `${label}(\\.${label})*`
const urlCharacter = "(?:[a-zA-Z0-9\\-._~!$&'()*+,;=:@/?]|%[0-9a-fA-F]{2})"
const address = `(?:${host}|\\[::1\\])(?::[0-9]{1,5})?(?:[/?]${urlCharacter}*)?(?:#${urlCharacter}*)?`

export const Hostname = Type.String({
  title: "a host name such as cdn.example.com",
  pattern: `^${host}$`,
  maxLength: 253,
})
export const Url = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "a URL such as https://example.com/",
  pattern: `^https?://${address}$`,
})
export const HttpsUrl = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "a URL that starts with https://",
  pattern: `^https://${address}$`,
})
export const Email = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "an email address",
  pattern: `^[a-zA-Z0-9_+-]+(\\.[a-zA-Z0-9_+-]+)*@${label}(\\.${label})+$`,
})

export const CalendarDate = Type.String({ title: "a date such as 2026-03-01", pattern: DAY_PATTERN })
export const Timestamp = Type.String({
  title: "a timestamp with its offset, such as 2026-03-01T12:00:00Z",
  pattern: MOMENT_PATTERN,
})

const days = "(?:[0-9]+Y)?(?:[0-9]+M)?[0-9]+D|(?:[0-9]+Y)?[0-9]+M|[0-9]+Y"
const hours = "T(?:(?:[0-9]+H)?(?:[0-9]+M)?[0-9]+S|(?:[0-9]+H)?[0-9]+M|[0-9]+H)"

export const IsoDuration = Type.String({
  title: "a duration such as P1D or PT4H",
  pattern: `^P(?:(?:${days})(?:${hours})?|${hours})$`,
})
