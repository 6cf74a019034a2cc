import { Kind, type TSchema } from "@sinclair/typebox"

/** What a value must be, to follow the name of its field: "must be true or false". */
export function demandOf(schema: TSchema): string {
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
export function ruleText(schema: TSchema): string | null {
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
