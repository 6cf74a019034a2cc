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

/** What only this caller, or this answer, has of a product: the first two in `ext.adbooth`. */
export interface Own {
  readonly order_url: string | undefined
  readonly matches: object | undefined
  readonly brief_relevance: string | undefined
}

/** A product with what is its own here: written into its kept JSON, whose last field is `ext.adbooth`. */
export class ShownProduct {
  readonly product: { readonly ext: { readonly adbooth: object } }
  readonly own: Own

  constructor(product: ShownProduct["product"], own: Own) {
    this.product = product
    this.own = own
  }

  toJSON(): object {
    return JSON.parse(shownJson(this))
  }
}

/** A flat answer, whose lists have kept objects. */
export function answerJson(payload: Readonly<Record<string, unknown>>): string {
  let json = ""
  for (const [name, value] of Object.entries(payload)) {
    if (value === undefined) continue
    json += `${json === "" ? "" : ","}${JSON.stringify(name)}:${Array.isArray(value) ? listJson(value) : jsonOf(value)}`
  }
  return `{${json}}`
}

function listJson(list: readonly unknown[]): string {
  const known = keptOf(list)
  if (known !== undefined) return known
  let json = ""
  for (const each of list)
    json += `${json === "" ? "" : ","}${each instanceof ShownProduct ? shownJson(each) : jsonOf(each)}`
  return `[${json}]`
}

const NOTHING = ',"ext":{"adbooth":{}}}'

function shownJson({ product, own: { order_url, matches, brief_relevance } }: ShownProduct): string {
  const json = jsonOf(product)
  const url = order_url === undefined ? "" : `,"order_url":${JSON.stringify(order_url)}`
  const ours = matches === undefined ? url : `${url},"matches":${jsonOf(matches)}`
  const relevance = brief_relevance === undefined ? "" : `,"brief_relevance":${JSON.stringify(brief_relevance)}`
  if (ours === "" && json.endsWith(NOTHING)) return `${json.slice(0, -NOTHING.length)}${relevance}}`
  const start = json.slice(0, -"}}}".length)
  return `${start}${start.endsWith("{") ? ours.slice(1) : ours}}}${relevance}}`
}
