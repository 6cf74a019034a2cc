import { Kind, type TSchema } from "@sinclair/typebox"

/** What a value must be, to follow its name: "must be true or false". */
export function nounOf(schema: TSchema): string {
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

function bounds(schema: TSchema): string {
  const parts: string[] = []
  if (schema["minimum"] !== undefined) parts.push(`at least ${schema["minimum"]}`)
  if (schema["exclusiveMinimum"] !== undefined) parts.push(`above ${schema["exclusiveMinimum"]}`)
  if (schema["maximum"] !== undefined) parts.push(`at most ${schema["maximum"]}`)
  if (schema["exclusiveMaximum"] !== undefined) parts.push(`below ${schema["exclusiveMaximum"]}`)
  return parts.length === 0 ? "" : `, ${parts.join(" and ")}`
}

/** The message of a rule between fields; undefined for a union of shapes. */
export function describeRule(schema: TSchema): string | undefined {
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
