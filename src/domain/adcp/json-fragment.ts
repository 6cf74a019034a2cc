// A catalogue object is turned into JSON once, when its view is prepared, and not again for every answer.
// The text is remembered beside the object, never inside it, so that the object stays what the schema says.

const texts = new WeakMap<object, string>()

/** Remembers the JSON of an object that will not change any more. */
export function keepJson<Value extends object>(value: Value): Value {
  texts.set(value, JSON.stringify(value))
  return value
}

/** Remembers the text that an object was read from, which is its JSON as well. */
export function keepText(value: object, text: string): void {
  texts.set(value, text)
}

/** The JSON of a value, from memory where it was kept. */
export function jsonOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  return texts.get(value) ?? JSON.stringify(value)
}

/** A copy with one more field at its end, whose JSON costs only that field. */
export function withField<Value extends object, Field>(value: Value, name: string, field: Field): Value {
  const copy = { ...value, [name]: field }
  const text = texts.get(value)
  if (text && !(name in value))
    texts.set(copy, `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(field)}}`)
  return copy
}

/** The JSON of a flat answer whose lists hold remembered objects. */
export function answerJson(answer: Record<string, unknown>): string {
  const fields = Object.entries(answer).filter(([, value]) => value !== undefined)
  return `{${joined(fields, ([name, value]) => `${JSON.stringify(name)}:${Array.isArray(value) ? listJson(value) : jsonOf(value)}`)}}`
}

/** Remembers the JSON of a whole list of remembered objects. */
export function keepList<List extends readonly object[]>(list: List): List {
  texts.set(list, listJson(list))
  return list
}

const listJson = (list: readonly unknown[]) => texts.get(list) ?? `[${joined(list, jsonOf)}]`

/** Joins by adding up, which copies nothing: a large answer is written out once, at its very end. */
function joined<Value>(values: readonly Value[], text: (value: Value) => string): string {
  let all = ""
  for (const value of values) all += all === "" ? text(value) : `,${text(value)}`
  return all
}
