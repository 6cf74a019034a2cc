import { hash } from "node:crypto"
import { memoize } from "../memoize.ts"

export function digestOf(...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27)
}

/** JSON with sorted keys and lists, so that equivalent requests give the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? "null"
}

function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  // Lists in a request are sets: order and duplicates do not matter.
  if (Array.isArray(value)) return [...new Set(value.map((item) => canonicalJson(item)))].sort()
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [name, canonical(field)])
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
}

// Catalogue objects are serialized once, not for every answer. Their JSON is kept beside the object, not inside it: the object stays an
// ordinary one, for which JSON.stringify gives the same. A changed copy does not have it.

const texts = new WeakMap<object, string>()

/**
 * A text in UTF-8, with a character for each byte: so are all texts that answers are put together from. A single wider character would
 * double all of an answer in memory, and take three times as long.
 */
export const inBytes = (text: string) => (/[^\0-\x7f]/.test(text) ? Buffer.from(text).toString("latin1") : text)

/** Keeps the JSON of an object that will not change any more. */
export function keepJson<Value extends object>(value: Value): Value {
  if (!texts.has(value)) texts.set(value, inBytes(JSON.stringify(value)))
  return value
}

export function keepText(value: object, text: string): void {
  texts.set(value, inBytes(text))
}

/** As JSON.stringify gives it, or as it was kept; in bytes. */
export function jsonOf(value: unknown): string {
  const kept = typeof value === "object" && value !== null ? texts.get(value) : undefined
  return kept ?? inBytes(JSON.stringify(value) ?? "null")
}

/** What is new about products that are shown: in the order of the products, undefined where there is none. */
export interface NewFields {
  readonly brief_relevance?: readonly (string | undefined)[] | undefined
  /** Addresses of ours, in ext.adbooth, with which the JSON of a product that callers see ends. */
  readonly order_url?: readonly string[] | undefined
}

// The brackets of ext.adbooth, of ext and of the product.
const END_OF_EXT = "}}}"

/**
 * Products with fields that only this answer, or this caller, has. The copies exist only for those who ask: an answer is written from the
 * kept JSON of the products and the new fields.
 */
export class WithFields<Value extends { readonly ext?: unknown }> {
  readonly objects: readonly Value[]
  readonly fields: NewFields

  constructor(objects: readonly Value[], fields: NewFields) {
    this.objects = objects
    this.fields = fields
  }

  toJSON(): Value[] {
    const { brief_relevance: reasons, order_url: links } = this.fields
    return this.objects.map((object, place) => {
      const { adbooth, ...ext } = (object.ext ?? {}) as { adbooth?: object }
      const linked = links && { ext: { ...ext, adbooth: { ...adbooth, order_url: links[place] } } }
      const reason = reasons?.[place]
      return { ...object, ...linked, ...(reason !== undefined && { brief_relevance: reason }) }
    })
  }

  json(): string {
    const { brief_relevance: reasons, order_url: links } = this.fields
    // Most are the same as another one.
    const endWith = memoize(this.objects.length, (reason: string) => `,"brief_relevance":${jsonOf(reason)}}`)
    return listJson(this.objects, (object, place) => {
      const [json, reason] = [jsonOf(object), reasons?.[place]]
      const end = reason === undefined ? "}" : endWith(reason)
      return links
        ? `${json.slice(0, -END_OF_EXT.length)},"order_url":"${links[place]}"}}${end}`
        : json.slice(0, -1) + end
    })
  }
}

/** Added up, which copies the texts once, at the end; joining them copies whatever is inside several times. */
function listJson<Item>(items: readonly Item[], write: (item: Item, place: number) => string): string {
  let json = ""
  for (let place = 0; place < items.length; place++)
    json += `${place === 0 ? "" : ","}${write(items[place] as Item, place)}`
  return `[${json}]`
}

/** A flat answer, whose lists have kept objects; in bytes. */
export function answerJson(payload: Readonly<Record<string, unknown>>): string {
  let json = ""
  for (const name in payload)
    if (payload[name] !== undefined) json += `${json === "" ? "" : ","}${jsonOf(name)}:${fieldJson(payload[name])}`
  return `{${json}}`
}

function fieldJson(value: unknown): string {
  if (value instanceof WithFields) return value.json()
  return Array.isArray(value) && !texts.has(value) ? listJson(value, jsonOf) : jsonOf(value)
}
