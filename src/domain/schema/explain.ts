import { Kind, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { nearestWord } from "../text.ts"

/** What a value must be, to follow the name of its field: "must be true or false". */
function demandOf(schema: TSchema): string {
  if (Array.isArray(schema["enum"])) return `must be one of ${schema["enum"].join(", ")}`
  if ("const" in schema) return `must be ${JSON.stringify(schema["const"])}`
  switch (schema[Kind]) {
    case "String":
      return `must be ${schema["title"] ?? "a string"}`
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

const BOUNDS = { minimum: "at least", exclusiveMinimum: "above", maximum: "at most", exclusiveMaximum: "below" }

function boundsOf(schema: TSchema): string {
  const given = Object.entries(BOUNDS).filter(([name]) => schema[name] !== undefined)
  return given.length === 0 ? "" : `, ${given.map(([name, words]) => `${words} ${schema[name]}`).join(" and ")}`
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
  problemsOf(schema, value, "").map(({ pointer, message, keyword }) => {
    const isUnknown = keyword === "additionalProperties"
    return { pointer, message: isUnknown ? message : `${pathOf(pointer) || "the value"} ${message}`, keyword }
  })

type Node = TSchema & {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

function problemsOf(schema: TSchema, value: unknown, pointer: string): Problem[] {
  if (Value.Check(schema, value)) return []
  const node: Node = schema
  if (node["minLength"] > 0 && isBlank(value)) return [{ pointer, message: "must not be empty", keyword: "minLength" }]
  if (node[Kind] === "Ruled") {
    const problems = problemsOf(node["shape"], value, pointer)
    return problems.length > 0 ? problems : [{ pointer, message: node["demand"], keyword: "rule" }]
  }
  if (node.anyOf !== undefined) return problemsOfUnion(node.anyOf, value, pointer)
  if (node[Kind] === "Object") return problemsOfObject(node, value, pointer)
  if (node[Kind] === "Array") return problemsOfList(node, value, pointer)
  return [{ pointer, message: demandOf(node), keyword: keywordOf(node) }]
}

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === ""

const notAnObject = (pointer: string): Problem => ({ pointer, message: "must be an object", keyword: "type" })

function problemsOfObject(node: Node, value: unknown, pointer: string): Problem[] {
  if (!isObject(value)) return [notAnObject(pointer)]
  const missing = (node.required ?? []).filter((name) => !Object.hasOwn(value, name))
  const problems = missing.map((name) => {
    return { pointer: childPointer(pointer, name), message: "is required", keyword: "required" }
  })
  const { properties = {}, additionalProperties: others } = node
  for (const [name, field] of Object.entries(value)) {
    const at = childPointer(pointer, name)
    const shape = Object.hasOwn(properties, name) ? properties[name] : others
    if (shape === false) problems.push(unknownField(at, name, Object.keys(properties)))
    else if (shape !== undefined) problems.push(...problemsOf(shape, field, at))
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
function problemsOfUnion(variants: readonly Node[], value: unknown, pointer: string): Problem[] {
  if (variants.every((variant) => "const" in variant)) {
    const words = variants.map((variant) => variant["const"]).join(", ")
    return [{ pointer, message: `must be one of ${words}`, keyword: "enum" }]
  }
  const meant = variants.filter((variant) => literalsOf(variant).every(([name, word]) => fieldOf(value, name) === word))
  if (meant.length === 0) return problemsOfLiterals(variants, value, pointer)
  const reports = meant.map((variant) => problemsOf(variant, value, pointer))
  return reports.reduce((best, report) => (depthOf(report) > depthOf(best) ? report : best))
}

const depthOf = (problems: readonly Problem[]) => Math.max(...problems.map(({ pointer }) => pointer.length))

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

function literalsOf(node: Node): [string, unknown][] {
  const { properties = {}, required = [] }: Node = node["shape"] ?? node
  const literals = Object.entries(properties).filter(([name, field]) => "const" in field && required.includes(name))
  return literals.map(([name, field]) => [name, field["const"]])
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
  if (node["enum"]) return "enum"
  if ("const" in node) return "const"
  return node["pattern"] ? "pattern" : "type"
}

function unknownField(pointer: string, name: string, known: readonly string[]): Problem {
  const nearest = nearestWord(name, known)
  const message = `Unknown field "${name}".${nearest === null ? "" : ` Did you mean "${nearest}"?`}`
  return { pointer, message, keyword: "additionalProperties" }
}
