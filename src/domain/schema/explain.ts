import { Kind, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { describeRule, nounOf } from "./schema-messages.ts"

/** One thing that is wrong: where (RFC 6901), in words, and the JSON Schema keyword that was broken. */
export interface Problem {
  pointer: string
  message: string
  keyword: string
}

interface Node extends TSchema {
  properties?: Record<string, TSchema>
  required?: string[]
  additionalProperties?: boolean | TSchema
  items?: TSchema
  anyOf?: TSchema[]
  allOf?: TSchema[]
  enum?: string[]
}

/** Every way in which the value breaks the shape, each a sentence that begins with its place. Empty when the value fits. */
export function explain(schema: TSchema, value: unknown): Problem[] {
  return findProblems(schema, value).map((found) => ({
    ...found,
    message: `${fieldName(found.pointer)} ${found.message}`,
  }))
}

/** The same without the place, for whoever names the field in another way. */
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

function problem(pointer: string, message: string, keyword: string): Problem {
  return { pointer, message, keyword }
}

function explainObject(node: Node, value: unknown, pointer: string): Problem[] {
  if (!isObject(value)) return [problem(pointer, "must be an object", "type")]
  const problems: Problem[] = []
  for (const name of node.required ?? []) {
    if (!Object.hasOwn(value, name)) problems.push(problem(child(pointer, name), "is required", "required"))
  }
  for (const [name, field] of Object.entries(value)) {
    problems.push(...explainField(node, name, field, child(pointer, name)))
  }
  if (problems.length === 0) problems.push(problem(pointer, "must not be empty", "minProperties"))
  return problems
}

function explainField(node: Node, name: string, field: unknown, pointer: string): Problem[] {
  const properties = node.properties ?? {}
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (known) return findProblems(known, field, pointer)
  if (node.additionalProperties === false) return [problem(pointer, "is not known here", "additionalProperties")]
  return typeof node.additionalProperties === "object" ? findProblems(node.additionalProperties, field, pointer) : []
}

function explainArray(node: Node, value: unknown, pointer: string): Problem[] {
  if (!Array.isArray(value)) return [problem(pointer, "must be a list", "type")]
  // Before its entries: a list that is far too long is one problem, not one for each entry.
  if (value.length > (node["maxItems"] ?? Number.POSITIVE_INFINITY)) {
    return [problem(pointer, `takes at most ${node["maxItems"]} entries`, "maxItems")]
  }
  const items = node.items
  const problems = items ? value.flatMap((item, index) => findProblems(items, item, child(pointer, String(index)))) : []
  if (problems.length > 0) return problems
  if (value.length < (node["minItems"] ?? 0)) {
    return [problem(pointer, `needs at least ${node["minItems"]} entries`, "minItems")]
  }
  if (node["contains"]) return [problem(pointer, "must hold at least one number", "contains")]
  return [problem(pointer, "must not repeat an entry", "uniqueItems")]
}

/** Reports the variant that the value means: the one whose fixed words it carries, else the nearest one. */
function explainUnion(node: Node, variants: TSchema[], value: unknown, pointer: string): Problem[] {
  if (variants.every((variant) => "const" in variant)) {
    return [
      problem(pointer, `must be one of ${variants.map((variant) => String(variant["const"])).join(", ")}`, "enum"),
    ]
  }
  const rule = describeRule(node)
  if (rule) return [problem(pointer, rule, "anyOf")]
  const meant = variants.filter((variant) => sameFixedWords(variant, value))
  if (meant.length === 0) return explainFixedWords(variants, value, pointer)
  const reports = meant.map((variant) => findProblems(variant, value, pointer))
  return reports.reduce((best, report) => (depth(report) > depth(best) ? report : best))
}

const depth = (problems: Problem[]) => Math.max(...problems.map((each) => each.pointer.length))

function fixedWords(schema: TSchema): [string, unknown][] {
  const node = schema as Node
  if (node.allOf) return node.allOf.flatMap(fixedWords)
  const entries = Object.entries(node.properties ?? {})
  return entries.filter(([name, field]) => "const" in field && node.required?.includes(name)).map(constOf)
}

const constOf = ([name, field]: [string, TSchema]): [string, unknown] => [name, field["const"]]

function sameFixedWords(schema: TSchema, value: unknown): boolean {
  return fixedWords(schema).every(([name, word]) => isObject(value) && value[name] === word)
}

/** No variant is meant: says which words would have named one. */
function explainFixedWords(variants: TSchema[], value: unknown, pointer: string): Problem[] {
  if (!isObject(value)) return [problem(pointer, "must be an object", "type")]
  const words = variants.flatMap(fixedWords)
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

/** The last name in a pointer, with its place in a list: "pricing_options[0].currency" reads better than a path. */
function fieldName(pointer: string): string {
  return pointerToPath(pointer) || "the value"
}

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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function uniqueProblems(problems: Problem[]): Problem[] {
  const seen = new Map(problems.map((each) => [`${each.pointer} ${each.message}`, each]))
  return [...seen.values()]
}
