// Catalogue objects are serialized once, when a view is prepared, not for every answer. The JSON is cached beside the object, not
// inside it, so that the object stays valid.

const texts = new WeakMap<object, string>()

/** Caches the JSON of an object that will not change any more. */
export function keepJson<Value extends object>(value: Value): Value {
  texts.set(value, JSON.stringify(value))
  return value
}

/** Caches the text that an object was parsed from. */
export function keepText(value: object, text: string): void {
  texts.set(value, text)
}

/** The JSON of a value, cached or new. */
export function jsonOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  return texts.get(value) ?? JSON.stringify(value)
}

/** A copy with one more field, of which only that field is serialized. */
export function withField<Value extends object, Field>(value: Value, name: string, field: Field): Value {
  const copy = { ...value, [name]: field }
  const text = texts.get(value)
  if (text && !(name in value))
    texts.set(copy, `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(field)}}`)
  return copy
}

/** The JSON of a flat answer whose lists have cached objects. */
export function answerJson(answer: Record<string, unknown>): string {
  const fields = Object.entries(answer).filter(([, value]) => value !== undefined)
  return `{${joined(fields, ([name, value]) => `${JSON.stringify(name)}:${Array.isArray(value) ? listJson(value) : jsonOf(value)}`)}}`
}

/** Caches the JSON of a list of cached objects. */
export function keepList<List extends readonly object[]>(list: List): List {
  texts.set(list, listJson(list))
  return list
}

const listJson = (list: readonly unknown[]) => texts.get(list) ?? `[${joined(list, jsonOf)}]`

/** Concatenation builds a rope: a large answer is copied only once, at the end. */
function joined<Value>(values: readonly Value[], text: (value: Value) => string): string {
  let all = ""
  for (const value of values) all += all === "" ? text(value) : `,${text(value)}`
  return all
}
