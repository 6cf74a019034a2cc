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

const bytesOf = new WeakMap<object, Buffer>()
const texts = new WeakMap<object, string>()

/** Keeps the JSON of an object that will not change any more. */
export function keepJson<Value extends object>(value: Value): Value {
  if (!bytesOf.has(value)) bytesOf.set(value, Buffer.from(JSON.stringify(value)))
  return value
}

export function keepText(value: object, text: string): void {
  texts.set(value, text)
}

export const keptJson = (value: unknown): Buffer | undefined =>
  typeof value === "object" && value !== null ? bytesOf.get(value) : undefined

function jsonOf(value: unknown): string {
  const text = typeof value === "object" && value !== null ? texts.get(value) : undefined
  return text ?? JSON.stringify(value) ?? "null"
}

// The brackets of ext.adbooth, of ext and of the product, with which the JSON of a product that callers see ends.
const END_OF_EXT = "}}}"

/** Where a key can order a product. Its JSON, up to the end of the product, is made once. */
export const orderUrlOf = (url: string) => ({
  url,
  json: Buffer.from(`,"order_url":${JSON.stringify(url)}${END_OF_EXT}`),
})
export type OrderUrl = Readonly<ReturnType<typeof orderUrlOf>>

/** Why products have their place, as a field up to their end and as a line of text. Most products of an answer share a few. */
export const reasonOf = (text: string) => ({
  text,
  json: Buffer.from(`,"brief_relevance":${JSON.stringify(text)}}`),
  line: new Line(`  → ${text}`),
})
export type Reason = Readonly<ReturnType<typeof reasonOf>>

/**
 * A product with fields that only this answer, or this caller, has. The copy exists only for those who ask: an answer is written from the
 * kept JSON of the product and the new fields.
 */
export class WithFields {
  readonly product: { readonly ext?: unknown }
  readonly reason: Reason | undefined
  readonly link: OrderUrl | undefined

  constructor(product: { readonly ext?: unknown }, reason: Reason | undefined, link: OrderUrl | undefined) {
    this.product = product
    this.reason = reason
    this.link = link
  }

  toJSON(): object {
    const { adbooth, ...ext } = (this.product.ext ?? {}) as { adbooth?: object }
    const linked = this.link && { ext: { ...ext, adbooth: { ...adbooth, order_url: this.link.url } } }
    return { ...this.product, ...linked, ...(this.reason && { brief_relevance: this.reason.text }) }
  }
}

/** A line of a text. Answers share lines, so its JSON is made once. */
export class Line {
  readonly text: string
  #json: Buffer | undefined

  constructor(text: string) {
    this.text = text
  }

  /** What stands for it inside the quotation marks of a longer text, with the line break before it. */
  get json(): Buffer {
    this.#json ??= Buffer.from(JSON.stringify(`\n${this.text}`).slice(1, -1))
    return this.#json
  }
}

/** A text of several lines, the first of them new. */
export class Lines {
  readonly first: string
  readonly others: readonly Line[]

  constructor(first: string, others: readonly Line[]) {
    this.first = first
    this.others = others
  }

  toJSON(): string {
    return [this.first, ...this.others.map(({ text }) => text)].join("\n")
  }
}

// Most answers fit. A larger buffer is not kept: one answer of a large page would hold it for ever.
const KEPT_BYTES = 512 * 1024
const UTF8_BYTES_PER_UNIT_MAX = 3

/**
 * Puts JSON together as bytes, from what was kept and from whatever is new. One buffer serves all answers, since a response copies
 * what it is given: the result of `bytes` is valid until the next `start`.
 */
export class JsonBytes {
  #buffer = Buffer.allocUnsafe(0)
  #end = 0

  start(): this {
    this.#end = 0
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = Buffer.allocUnsafe(0)
    return this
  }

  bytes(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#end)
  }

  text(text: string): this {
    if (text.length === 1 && this.#end < this.#buffer.length && text.charCodeAt(0) < 128) {
      this.#buffer[this.#end++] = text.charCodeAt(0)
      return this
    }
    this.#makeRoom(text.length * UTF8_BYTES_PER_UNIT_MAX)
    this.#end += this.#buffer.write(text, this.#end)
    return this
  }

  /** A flat answer, whose lists have kept objects. */
  answer(payload: Readonly<Record<string, unknown>>): this {
    let before = "{"
    for (const name in payload) {
      const value = payload[name]
      if (value === undefined) continue
      this.text(`${before}${JSON.stringify(name)}:`)
      if (Array.isArray(value) && keptJson(value) === undefined) this.#list(value)
      else this.value(value)
      before = ","
    }
    return this.text(before === "{" ? "{}" : "}")
  }

  value(value: unknown): this {
    if (value instanceof Lines) return this.#lines(value)
    if (value instanceof WithFields) return this.#withFields(value)
    const bytes = keptJson(value)
    return bytes === undefined ? this.text(jsonOf(value)) : this.#copy(bytes)
  }

  #lines({ first, others }: Lines): this {
    this.text(JSON.stringify(first))
    // In place of the last quotation mark.
    this.#end--
    for (const { json } of others) this.#copy(json)
    return this.text('"')
  }

  #list(list: readonly unknown[]): void {
    let before = "["
    for (const value of list) {
      this.text(before).value(value)
      before = ","
    }
    this.text(before === "[" ? "[]" : "]")
  }

  #withFields({ product, reason, link }: WithFields): this {
    this.value(product)
    if (link !== undefined) this.#endWith(link.json, END_OF_EXT.length)
    if (reason !== undefined) this.#endWith(reason.json, 1)
    return this
  }

  /** In place of the last brackets. */
  #endWith(json: Buffer, brackets: number): void {
    this.#end -= brackets
    this.#copy(json)
  }

  #copy(bytes: Buffer): this {
    this.#makeRoom(bytes.length)
    this.#end += bytes.copy(this.#buffer, this.#end)
    return this
  }

  #makeRoom(length: number): void {
    const wanted = this.#end + length
    if (wanted <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#buffer.length, KEPT_BYTES / 2))
    this.#buffer.copy(larger, 0, 0, this.#end)
    this.#buffer = larger
  }
}
