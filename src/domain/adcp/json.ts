import { hash } from "node:crypto"

export const digestOf = (...parts: readonly string[]): string =>
  hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27)

/** JSON with sorted keys and lists, so that equivalent requests give the same text. */
export const canonicalJson = (value: unknown): string => JSON.stringify(canonical(value)) ?? "null"

function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  // Lists in a request are sets: order and duplicates do not matter.
  if (Array.isArray(value)) return [...new Set(value.map((item) => canonicalJson(item)))].sort()
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, canonical(field)])
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}

// Catalogue objects are serialized once, not for every answer. Their JSON is kept beside the object, not inside it: the object stays an
// ordinary one, for which JSON.stringify gives the same. A changed copy does not have it.

const kept = new WeakMap<object, string>()

/** Keeps the JSON of an object that will not change any more, or the text that it was sent as. */
export function keepJson<Value extends object>(value: Value, text?: string): Value {
  if (text !== undefined || !kept.has(value)) kept.set(value, text ?? JSON.stringify(value))
  return value
}

export const jsonOf = (value: unknown): string => keptOf(value) ?? JSON.stringify(value) ?? "null"

const keptOf = (value: unknown) => (typeof value === "object" && value !== null ? kept.get(value) : undefined)

/** A product with fields that only this answer, or this caller, has: they are written after its kept JSON. */
export class WithFields {
  readonly product: object
  readonly own: object

  constructor(product: object, own: object) {
    this.product = product
    this.own = own
  }

  toJSON(): object {
    return { ...this.product, ...this.own }
  }
}

/** A flat answer, whose lists have kept objects. */
export function answerJson(payload: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(payload).flatMap(([name, value]) =>
    value === undefined ? [] : `${JSON.stringify(name)}:${Array.isArray(value) ? listJson(value) : jsonOf(value)}`,
  )
  return `{${fields.join(",")}}`
}

const listJson = (list: readonly unknown[]): string =>
  keptOf(list) ?? `[${list.map((each) => (each instanceof WithFields ? joined(each) : jsonOf(each))).join(",")}]`

function joined({ product, own }: WithFields): string {
  const [first, second] = [jsonOf(product), JSON.stringify(own)]
  const between = first === "{}" || second === "{}" ? "" : ","
  return first.slice(0, -1) + between + second.slice(1)
}
