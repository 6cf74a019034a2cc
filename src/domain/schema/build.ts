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
import { Value } from "@sinclair/typebox/value"

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

TypeRegistry.Set<Ruled>("Ruled", ({ shape, holds }, value) => Value.Check(shape, value) && holds(value))

interface Ruled {
  readonly shape: TSchema
  readonly holds: (value: unknown) => boolean
}

/** A shape with a rule that involves several of its fields. `demand` says it after the name of the value. */
export const ruled = <Shape extends TSchema>(shape: Shape, demand: string, holds: (value: Static<Shape>) => boolean) =>
  Type.Unsafe<Static<Shape>>({ [Kind]: "Ruled", shape, demand, holds })

/** The same shape without unknown fields, at every depth. An object without named fields may still hold anything. */
export function closed<Shape extends TSchema>(given: Shape): Shape {
  const { properties = {}, items, anyOf, shape }: TSchema = given
  const fields = Object.entries<TSchema>(properties).map(([name, field]) => [name, closed(field)])
  return {
    ...given,
    ...(fields.length > 0 && { properties: Object.fromEntries(fields), additionalProperties: false }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
    ...(shape && { shape: closed(shape) }),
  }
}

// Where AdCP names a format, we give a pattern, because a pattern means the same to every JSON Schema validator.

export const Text = Type.String()
export const NonEmpty = Type.String({ minLength: 1 })
export const NotBlank = Type.String({ title: "a string", minLength: 1, pattern: "\\S" })
export const Flag = Type.Boolean()
export const Whole = Type.Integer({ minimum: 0 })
export const AtLeastOne = Type.Integer({ minimum: 1 })
export const Amount = Type.Number({ minimum: 0 })
export const Positive = Type.Number({ exclusiveMinimum: 0 })
export const Fraction = Type.Number({ minimum: 0, maximum: 1 })
export const AnyObject = Type.Object({})

// Longer than any real address, and short enough to be checked fast.
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

/**
 * A name that can have a website, where agents look for adagents.json. AdCP also takes a single word or an IP address as a
 * domain. The last part begins with a letter, because an IP address isn't a domain.
 */
export const WebDomain = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "a domain such as example.com",
  pattern: "^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z][a-z0-9-]*[a-z0-9]$",
})
export const isDomain = (text: string): boolean => Value.Check(WebDomain, text)

const LABEL = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
const HOST = `${LABEL}(\\.${LABEL})*`
const URL_CHARACTER = "(?:[a-zA-Z0-9\\-._~!$&'()*+,;=:@/?]|%[0-9a-fA-F]{2})"
const ADDRESS = `(?:${HOST}|\\[::1\\])(?::[0-9]{1,5})?(?:[/?]${URL_CHARACTER}*)?(?:#${URL_CHARACTER}*)?`

export const Url = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "a URL such as https://example.com/",
  pattern: `^https?://${ADDRESS}$`,
})
export const Email = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "an email address",
  pattern: `^[a-zA-Z0-9_+-]+(\\.[a-zA-Z0-9_+-]+)*@${LABEL}(\\.${LABEL})+$`,
})

// Only days that exist.
const LONG_MONTH = "(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])"
const SHORT_MONTH = "(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)"
const FEBRUARY = "02-(?:0[1-9]|1\\d|2[0-8])"
const LEAP_YEAR = "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
const DATE = `(?:\\d{4}-(?:${LONG_MONTH}|${SHORT_MONTH}|${FEBRUARY})|${LEAP_YEAR}-02-29)`
const TIME = "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)"

export const DateText = Type.String({ title: "a date such as 2026-03-01", pattern: `^${DATE}$` })
export const Timestamp = Type.String({
  title: "a timestamp with its offset, such as 2026-03-01T12:00:00Z",
  pattern: `^${DATE}[Tt]${TIME}$`,
})
