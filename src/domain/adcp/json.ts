import { hash } from "node:crypto"

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

/** Keeps the JSON of an object that will not change any more. */
export function keepJson<Value extends object>(value: Value): Value {
  if (!texts.has(value)) texts.set(value, JSON.stringify(value))
  return value
}

export function keepText(value: object, text: string): void {
  texts.set(value, text)
}

/** As JSON.stringify gives it, or as it was kept. */
export function jsonOf(value: unknown): string {
  const kept = typeof value === "object" && value !== null ? texts.get(value) : undefined
  return kept ?? JSON.stringify(value) ?? "null"
}

/** What is new about products that are shown: in the order of the products, undefined where there is none. */
export interface NewFields {
  readonly brief_relevance?: readonly (string | undefined)[] | undefined
  /** In ext.adbooth, with which the JSON of a product that callers see ends. */
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
    const written = this.objects.map((object, place) => {
      let json = jsonOf(object)
      if (links) json = `${json.slice(0, -END_OF_EXT.length)},"order_url":${jsonOf(links[place])}${END_OF_EXT}`
      const reason = reasons?.[place]
      return reason === undefined ? json : `${json.slice(0, -1)},"brief_relevance":${JSON.stringify(reason)}}`
    })
    return `[${written.join(",")}]`
  }
}

/** A flat answer, whose lists have kept objects. */
export function answerJson(payload: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(payload).filter(([, value]) => value !== undefined)
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${fieldJson(value)}`).join(",")}}`
}

function fieldJson(value: unknown): string {
  if (value instanceof WithFields) return value.json()
  return Array.isArray(value) && !texts.has(value) ? `[${value.map(jsonOf).join(",")}]` : jsonOf(value)
}
