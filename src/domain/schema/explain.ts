import { Kind, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { isObject } from "./batch.ts"

/** What a value must be, to follow its name: "must be true or false". */
function nounOf(schema: TSchema): string {
  if (typeof schema["sentence"] === "string") return `is wrong: ${schema["sentence"]}`
  if (schema[Kind] === "Not") return `must not have ${namesIn(schema["not"]).join(" or ")}`
  if (Array.isArray(schema["enum"])) return `must be one of ${schema["enum"].join(", ")}`
  if ("const" in schema) return `must be ${JSON.stringify(schema["const"])}`
  if (schema[Kind] === "String") return stringNoun(schema)
  if (schema[Kind] === "Integer") return `must be a whole number${bounds(schema)}`
  if (schema[Kind] === "Number") return `must be a number${bounds(schema)}`
  return schema[Kind] === "Boolean" ? "must be true or false" : `must be ${String(schema[Kind]).toLowerCase()}`
}

function stringNoun(schema: TSchema): string {
  if (schema.title) return `must be ${schema.title}`
  if (schema["pattern"]) return `must be a string that matches ${schema["pattern"]}`
  if (schema["maxLength"]) return `must be a string of at most ${schema["maxLength"]} characters`
  return schema["minLength"] ? "must be a string that is not empty" : "must be a string"
}

const BOUNDS = { minimum: "at least", exclusiveMinimum: "above", maximum: "at most", exclusiveMaximum: "below" }

function bounds(schema: TSchema): string {
  const given = Object.entries(BOUNDS).filter(([name]) => schema[name] !== undefined)
  return given.length === 0 ? "" : `, ${given.map(([name, words]) => `${words} ${schema[name]}`).join(" and ")}`
}

/** The message of a rule between fields; undefined for a union of shapes. */
function describeRule(schema: TSchema): string | undefined {
  if (typeof schema["sentence"] === "string") return `is wrong: ${schema["sentence"]}`
  const variants: TSchema[] = schema["anyOf"] ?? []
  if (schema["rule"] === "when") {
    const [condition, consequence] = variants
    return `breaks a rule: if ${condition ? conditionIn(condition["not"]) : ""}, ${consequence ? demand(consequence) : ""}`
  }
  return variants.every(isPresence)
    ? `needs ${variants.map((each) => namesIn(each).join(" and ")).join(" or ")}`
    : undefined
}

function conditionIn(schema: TSchema): string {
  if (schema[Kind] === "Not") return `not ${conditionIn(schema["not"])}`
  if (schema["anyOf"]) return schema["anyOf"].map(conditionIn).join(" or ")
  const fields = Object.entries<TSchema>(schema["properties"] ?? {})
  return fields.map(([name, field]) => condition(name, field)).join(" and ")
}

function condition(name: string, field: TSchema): string {
  if ("const" in field) return `${name} is ${JSON.stringify(field["const"])}`
  if (Array.isArray(field["enum"])) return `${name} is ${field["enum"].join(" or ")}`
  return field["properties"] ? `${name} has ${conditionIn(field)}` : `${name} is given`
}

function demand(schema: TSchema): string {
  if (schema[Kind] === "Not") return `${namesIn(schema["not"]).join(" and ")} must be left out`
  if (schema["allOf"]) return schema["allOf"].map(demand).join(", and ")
  if (schema["anyOf"]) return schema["anyOf"].map(demand).join(", or ")
  const fields = Object.entries<TSchema>(schema["properties"] ?? {})
  return fields
    .map(([name, field]) => (field[Kind] === "Unknown" ? `${name} is required` : `${name} ${nounOf(field)}`))
    .join(" and ")
}

const isPresence = (schema: TSchema): boolean =>
  schema[Kind] === "Object" &&
  Object.values<TSchema>(schema["properties"] ?? {}).every((field) => field[Kind] === "Unknown")

function namesIn(schema: TSchema): string[] {
  const parts: TSchema[] = schema["anyOf"] ?? schema["allOf"] ?? []
  return parts.length > 0 ? parts.flatMap(namesIn) : Object.keys(schema["properties"] ?? {})
}

/** A problem: its JSON pointer (RFC 6901), a message, and the violated JSON Schema keyword. */
export type Problem = { pointer: string; message: string; keyword: string }

interface Node extends TSchema {
  properties?: Record<string, TSchema>
  required?: string[]
  additionalProperties?: boolean | TSchema
  items?: TSchema
  anyOf?: TSchema[]
  allOf?: TSchema[]
  enum?: string[]
}

export const explain = (schema: TSchema, value: unknown): Problem[] =>
  findProblems(schema, value).map((issue) => ({
    ...issue,
    message: `${pointerToPath(issue.pointer) || "the value"} ${issue.message}`,
  }))

export function findProblems(schema: TSchema, value: unknown, pointer = ""): Problem[] {
  if (Value.Check(schema, value)) return []
  const node = schema as Node
  if (value === "" && node["minLength"] > 0) return [problem(pointer, "must not be empty", "minLength")]
  if (node.allOf && !isObject(value)) return [problem(pointer, "must be an object", "type")]
  if (node.allOf) return uniqueProblems(node.allOf.flatMap((part) => findProblems(part, value, pointer)))
  if (node.anyOf) return explainUnion(node, node.anyOf, value, pointer)
  if (node[Kind] === "Object") return explainObject(node, value, pointer)
  if (node[Kind] === "Array") return explainArray(node, value, pointer)
  return [problem(pointer, nounOf(node), keywordOf(node))]
}

const problem = (pointer: string, message: string, keyword: string): Problem => ({ pointer, message, keyword })

function explainObject(node: Node, value: unknown, pointer: string): Problem[] {
  if (!isObject(value)) return [problem(pointer, "must be an object", "type")]
  const problems: Problem[] = []
  for (const name of node.required ?? [])
    if (!Object.hasOwn(value, name)) problems.push(problem(child(pointer, name), "is required", "required"))
  for (const [name, field] of Object.entries(value))
    problems.push(...explainField(node, name, field, child(pointer, name)))
  return problems.length === 0 ? [problem(pointer, "must not be empty", "minProperties")] : problems
}

function explainField(node: Node, name: string, field: unknown, pointer: string): Problem[] {
  const properties = node.properties ?? {}
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (property) return findProblems(property, field, pointer)
  if (node.additionalProperties === false) return [problem(pointer, "is an unknown field", "additionalProperties")]
  return typeof node.additionalProperties === "object" ? findProblems(node.additionalProperties, field, pointer) : []
}

function explainArray(node: Node, value: unknown, pointer: string): Problem[] {
  if (!Array.isArray(value)) return [problem(pointer, "must be a list", "type")]
  // Before its entries: a list that is too long is one problem, not one per entry.
  if (value.length > (node["maxItems"] ?? Number.POSITIVE_INFINITY)) {
    return [problem(pointer, `takes at most ${entries(node["maxItems"])}`, "maxItems")]
  }
  const items = node.items
  const problems = items ? value.flatMap((item, index) => findProblems(items, item, child(pointer, String(index)))) : []
  if (problems.length > 0) return problems
  if (value.length < (node["minItems"] ?? 0)) {
    return [problem(pointer, `needs at least ${entries(node["minItems"])}`, "minItems")]
  }
  if (node["contains"]) return [problem(pointer, "must contain at least one number", "contains")]
  return [problem(pointer, "must not contain duplicates", "uniqueItems")]
}

const entries = (count: number) => `${count} ${count === 1 ? "entry" : "entries"}`

/** Explains the intended variant: the one with the same literal fields, else the closest one. */
function explainUnion(node: Node, variants: TSchema[], value: unknown, pointer: string): Problem[] {
  if (variants.every((variant) => "const" in variant))
    return [problem(pointer, `must be one of ${variants.map((variant) => variant["const"]).join(", ")}`, "enum")]
  const rule = describeRule(node)
  if (rule) return [problem(pointer, rule, "anyOf")]
  const meant = variants.filter((variant) => hasLiterals(variant, value))
  if (meant.length === 0) return explainLiterals(variants, value, pointer)
  const reports = meant.map((variant) => findProblems(variant, value, pointer))
  return reports.reduce((best, report) => (depth(report) > depth(best) ? report : best))
}

const depth = (problems: Problem[]) => Math.max(...problems.map((each) => each.pointer.length))

function literalsOf(schema: TSchema): [string, unknown][] {
  const node = schema as Node
  if (node.allOf) return node.allOf.flatMap(literalsOf)
  const entries = Object.entries(node.properties ?? {})
  return entries.flatMap(([name, field]): [string, unknown][] =>
    "const" in field && node.required?.includes(name) ? [[name, field["const"]]] : [],
  )
}

const hasLiterals = (schema: TSchema, value: unknown): boolean =>
  literalsOf(schema).every(([name, word]) => isObject(value) && value[name] === word)

/** No variant has the same literals: lists those that are allowed. */
function explainLiterals(variants: TSchema[], value: unknown, pointer: string): Problem[] {
  if (!isObject(value)) return [problem(pointer, "must be an object", "type")]
  const words = variants.flatMap(literalsOf)
  const wrong = words.find(
    ([name, word]) => value[name] !== word && !words.some(([n, w]) => n === name && value[n] === w),
  )
  const name = wrong?.[0] ?? words[0]?.[0] ?? ""
  const allowed = [...new Set(words.filter(([each]) => each === name).map(([, word]) => String(word)))]
  return [problem(child(pointer, name), `must be one of ${allowed.join(", ")}`, "enum")]
}

function keywordOf(node: Node): string {
  if (node[Kind] === "Not") return "not"
  if (node.enum) return "enum"
  if ("const" in node) return "const"
  return node["pattern"] ? "pattern" : "type"
}

const child = (pointer: string, name: string) => `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

/** "/pricing_options/0/currency" becomes "pricing_options[0].currency". */
export function pointerToPath(pointer: string): string {
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
  return names.reduce((path, name) => {
    if (/^[0-9]+$/.test(name)) return `${path}[${name}]`
    return path === "" ? name : `${path}.${name}`
  }, "")
}

function uniqueProblems(problems: Problem[]): Problem[] {
  const seen = new Map(problems.map((each) => [`${each.pointer} ${each.message}`, each]))
  return [...seen.values()]
}
