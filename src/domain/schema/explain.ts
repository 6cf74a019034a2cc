import { Kind, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { nearestWord } from "../text.ts"

/** What a value must be, to follow the name of its field: "must be true or false". */
function demandOf(schema: TSchema): string {
  if (schema[Kind] === "Not") return `must not have ${namesIn(schema["not"]).join(" or ")}`
  if (Array.isArray(schema["enum"])) return `must be one of ${schema["enum"].join(", ")}`
  if ("const" in schema) return `must be ${JSON.stringify(schema["const"])}`
  switch (schema[Kind]) {
    case "String":
      return stringDemand(schema)
    case "Integer":
      return `must be a whole number${boundsOf(schema)}`
    case "Number":
      return `must be a number${boundsOf(schema)}`
    case "Boolean":
      return "must be true or false"
    default:
      return `must be ${schema[Kind].toLowerCase()}`
  }
}

function stringDemand({ title, pattern, maxLength, minLength }: TSchema): string {
  if (title !== undefined) return `must be ${title}`
  if (pattern !== undefined) return `must be a string that matches ${pattern}`
  if (maxLength !== undefined) return `must be a string of at most ${maxLength} characters`
  return minLength === undefined ? "must be a string" : "must be a string that is not empty"
}

const BOUNDS = { minimum: "at least", exclusiveMinimum: "above", maximum: "at most", exclusiveMaximum: "below" }

function boundsOf(schema: TSchema): string {
  const given = Object.entries(BOUNDS).filter(([name]) => schema[name] !== undefined)
  return given.length === 0 ? "" : `, ${given.map(([name, words]) => `${words} ${schema[name]}`).join(" and ")}`
}

/** A rule between fields in words. Null for a union of shapes. */
function ruleText(schema: TSchema): string | null {
  const variants: TSchema[] = schema["anyOf"] ?? []
  const [condition, consequence] = variants
  if (schema["rule"] === "when" && condition && consequence) {
    return `breaks a rule: if ${conditionText(condition["not"])}, ${consequenceText(consequence)}`
  }
  if (!variants.every(isPresence)) return null
  return `needs ${variants.map((each) => namesIn(each).join(" and ")).join(" or ")}`
}

const fieldsOf = (schema: TSchema) => Object.entries<TSchema>(schema["properties"] ?? {})

const conditionText = (schema: TSchema): string =>
  fieldsOf(schema)
    .map(([name, field]) => ("const" in field ? `${name} is ${JSON.stringify(field["const"])}` : `${name} is given`))
    .join(" and ")

function consequenceText(schema: TSchema): string {
  if (schema[Kind] === "Not") return `${namesIn(schema["not"]).join(" and ")} must be left out`
  if (schema["allOf"]) return schema["allOf"].map(consequenceText).join(", and ")
  return fieldsOf(schema)
    .map(([name, field]) => (field[Kind] === "Unknown" ? `${name} is required` : `${name} ${demandOf(field)}`))
    .join(" and ")
}

const isPresence = (schema: TSchema): boolean =>
  schema[Kind] === "Object" && fieldsOf(schema).every(([, field]) => field[Kind] === "Unknown")

function namesIn(schema: TSchema): string[] {
  const parts: TSchema[] = schema["anyOf"] ?? schema["allOf"] ?? []
  return parts.length > 0 ? parts.flatMap(namesIn) : Object.keys(schema["properties"] ?? {})
}

/** A JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What is wrong with a value: the place as a JSON pointer (RFC 6901), a sentence, and the JSON Schema keyword. */
export interface Problem {
  readonly pointer: string
  readonly message: string
  readonly keyword: string
}

/** "/pricing_options/0/currency" becomes "pricing_options[0].currency". */
export function pathOf(pointer: string): string {
  let path = ""
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~")
    if (/^\d+$/.test(name)) path += `[${name}]`
    else path += path === "" ? name : `.${name}`
  }
  return path
}

export const childPointer = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** Everything that is wrong with a value. Each message begins with the name of the field. */
export const explain = (schema: TSchema, value: unknown): Problem[] =>
  problemsOf(schema, value, "").map((problem) => ({
    ...problem,
    message: `${pathOf(problem.pointer) || "the value"} ${problem.message}`,
  }))

type Node = TSchema & {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
}

function problemsOf(schema: TSchema, value: unknown, pointer: string): Problem[] {
  if (Value.Check(schema, value)) return []
  const node: Node = schema
  if (value === "" && node["minLength"] > 0) return [{ pointer, message: "must not be empty", keyword: "minLength" }]
  if (node.allOf !== undefined) {
    if (!isObject(value)) return [notAnObject(pointer)]
    return distinct(node.allOf.flatMap((part) => problemsOf(part, value, pointer)))
  }
  if (node.anyOf !== undefined) return problemsOfUnion(node, node.anyOf, value, pointer)
  if (node[Kind] === "Object") return problemsOfObject(node, value, pointer)
  if (node[Kind] === "Array") return problemsOfList(node, value, pointer)
  return [{ pointer, message: demandOf(node), keyword: keywordOf(node) }]
}

const notAnObject = (pointer: string): Problem => ({ pointer, message: "must be an object", keyword: "type" })

function problemsOfObject(node: Node, value: unknown, pointer: string): Problem[] {
  if (!isObject(value)) return [notAnObject(pointer)]
  const missing = (node.required ?? []).filter((name) => !Object.hasOwn(value, name))
  const problems = missing.map((name) => {
    return { pointer: childPointer(pointer, name), message: "is required", keyword: "required" }
  })
  for (const [name, field] of Object.entries(value)) {
    const shape = Object.hasOwn(node.properties ?? {}, name) ? node.properties?.[name] : node["additionalProperties"]
    if (isObject(shape)) problems.push(...problemsOf(shape as unknown as TSchema, field, childPointer(pointer, name)))
  }
  return problems.length > 0 ? problems : [{ pointer, message: "must not be empty", keyword: "minProperties" }]
}

function problemsOfList(node: Node, value: unknown, pointer: string): Problem[] {
  if (!Array.isArray(value)) return [{ pointer, message: "must be a list", keyword: "type" }]
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = node
  // Before its entries, because a list that is too long is one problem.
  if (value.length > maxItems) return [{ pointer, message: `takes at most ${entries(maxItems)}`, keyword: "maxItems" }]
  const problems = value.flatMap((item, i) => (items ? problemsOf(items, item, childPointer(pointer, i)) : []))
  if (problems.length > 0) return problems
  if (value.length < minItems) return [{ pointer, message: `needs at least ${entries(minItems)}`, keyword: "minItems" }]
  return [{ pointer, message: "must not contain duplicates", keyword: "uniqueItems" }]
}

const entries = (count: number) => `${count} ${count === 1 ? "entry" : "entries"}`

/** Explains the variant that was meant: the one with the same literal fields, or the closest one. */
function problemsOfUnion(node: Node, variants: readonly TSchema[], value: unknown, pointer: string): Problem[] {
  if (variants.every((variant) => "const" in variant)) {
    const words = variants.map((variant) => variant["const"]).join(", ")
    return [{ pointer, message: `must be one of ${words}`, keyword: "enum" }]
  }
  const rule = ruleText(node)
  if (rule !== null) return [{ pointer, message: rule, keyword: "anyOf" }]
  const meant = variants.filter((variant) => literalsOf(variant).every(([name, word]) => fieldOf(value, name) === word))
  if (meant.length === 0) return problemsOfLiterals(variants, value, pointer)
  const reports = meant.map((variant) => problemsOf(variant, value, pointer))
  return reports.reduce((best, report) => (depthOf(report) > depthOf(best) ? report : best))
}

const depthOf = (problems: readonly Problem[]) => Math.max(...problems.map(({ pointer }) => pointer.length))

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

function literalsOf(node: Node): [string, unknown][] {
  if (node.allOf !== undefined) return node.allOf.flatMap(literalsOf)
  return Object.entries(node.properties ?? {}).flatMap(([name, field]): [string, unknown][] =>
    "const" in field && node.required?.includes(name) ? [[name, field["const"]]] : [],
  )
}

/** No variant has these literals, so the ones that are allowed are listed. */
function problemsOfLiterals(variants: readonly TSchema[], value: unknown, pointer: string): Problem[] {
  if (!isObject(value)) return [notAnObject(pointer)]
  const literals = variants.flatMap(literalsOf)
  const isAllowed = (name: string) => literals.some(([each, word]) => each === name && value[name] === word)
  const [wrong = ""] = literals.find(([name]) => !isAllowed(name)) ?? []
  const words = new Set(literals.flatMap(([name, word]) => (name === wrong ? [String(word)] : [])))
  return [
    { pointer: childPointer(pointer, wrong), message: `must be one of ${[...words].join(", ")}`, keyword: "enum" },
  ]
}

function keywordOf(node: Node): string {
  if (node[Kind] === "Not") return "not"
  if (node["enum"]) return "enum"
  if ("const" in node) return "const"
  return node["pattern"] ? "pattern" : "type"
}

const distinct = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((problem) => [`${problem.pointer} ${problem.message}`, problem])).values(),
]

/**
 * The fields of a valid value that its schema doesn't name, at every depth, because they would be stored unchecked.
 * An object without named fields may hold anything.
 */
export const unknownFields = (schema: TSchema, value: unknown): Problem[] => unnamedIn(schema, value, "")

function unnamedIn(schema: TSchema, value: unknown, pointer: string): Problem[] {
  // The first part is the shape, and the others are rules.
  if (schema["allOf"]) return unnamedIn(schema["allOf"][0], value, pointer)
  if (schema["anyOf"]) return unnamedInUnion(schema["anyOf"], value, pointer)
  if (Array.isArray(value) && schema["items"])
    return value.flatMap((item, i) => unnamedIn(schema["items"], item, childPointer(pointer, i)))
  const properties: Record<string, TSchema> = schema["properties"] ?? {}
  if (!isObject(value) || Object.keys(properties).length === 0) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const at = childPointer(pointer, name)
    const named = Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"]
    if (isObject(named)) return unnamedIn(named as unknown as TSchema, field, at)
    return [{ pointer: at, message: messageAbout(name, Object.keys(properties)), keyword: "additionalProperties" }]
  })
}

function messageAbout(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known)
  return `Unknown field "${name}".${nearest === null ? "" : ` Did you mean "${nearest}"?`}`
}

/** By the variant that leaves the fewest fields unnamed. `explain` names what is wrong with a value that fits none. */
function unnamedInUnion(variants: readonly TSchema[], value: unknown, pointer: string): Problem[] {
  const fitting = variants.filter((variant) => Value.Check(variant, value))
  const unnamed = fitting.map((variant) => unnamedIn(variant, value, pointer))
  return unnamed.toSorted((a, b) => a.length - b.length)[0] ?? []
}
