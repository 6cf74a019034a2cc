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

export function keptJson(value: unknown): Buffer | undefined {
  return typeof value === "object" && value !== null ? bytesOf.get(value) : undefined
}

function jsonOf(value: unknown): string {
  const text = typeof value === "object" && value !== null ? texts.get(value) : undefined
  return text ?? JSON.stringify(value) ?? "null"
}

/** What is new about products that are shown: in the order of the products, undefined where there is none. */
export interface NewFields {
  readonly brief_relevance?: readonly (string | undefined)[] | undefined
  /** In ext.adbooth, with which the JSON of a product that callers see ends. */
  readonly order_url?: readonly OrderUrl[] | undefined
}

// The brackets of ext.adbooth, of ext and of the product.
const END_OF_EXT = "}}}"

/** Where a key can order a product. Its JSON, up to the end of the product, is made once. */
export class OrderUrl {
  readonly url: string
  readonly json: Buffer

  constructor(url: string) {
    this.url = url
    this.json = Buffer.from(`,"order_url":${JSON.stringify(url)}${END_OF_EXT}`)
  }
}

interface Shown {
  readonly ext?: unknown
}

/**
 * Products with fields that only this answer, or this caller, has. The copies exist only for those who ask: an answer is written from the
 * kept JSON of the products and the new fields.
 */
export class WithFields<Value extends Shown> {
  readonly objects: readonly Value[]
  readonly fields: NewFields

  constructor(objects: readonly Value[], fields: NewFields) {
    this.objects = objects
    this.fields = fields
  }

  toJSON(): Value[] {
    const { brief_relevance: reasons, order_url: links } = this.fields
    return this.objects.map((object, index) => {
      const { adbooth, ...ext } = (object.ext ?? {}) as { adbooth?: object }
      const linked = links && { ext: { ...ext, adbooth: { ...adbooth, order_url: links[index]?.url } } }
      const reason = reasons?.[index]
      return { ...object, ...linked, ...(reason !== undefined && { brief_relevance: reason }) }
    })
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
      if (value instanceof WithFields) this.#withFields(value)
      else if (Array.isArray(value) && keptJson(value) === undefined) this.#list(value)
      else this.value(value)
      before = ","
    }
    return this.text(before === "{" ? "{}" : "}")
  }

  value(value: unknown): this {
    if (value instanceof Lines) return this.#lines(value)
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

  #withFields({ objects, fields: { brief_relevance: reasons, order_url: links } }: WithFields<object>): void {
    // Where each field was written first: most are the same as an earlier one.
    const written = new Map<string, { readonly from: number; readonly to: number }>()
    this.text("[")
    for (let index = 0; index < objects.length; index++) {
      if (index > 0) this.text(",")
      this.value(objects[index])
      const link = links?.[index]
      if (link !== undefined) {
        this.#end -= END_OF_EXT.length
        this.#copy(link.json)
      }
      const field = reasons?.[index]
      if (field === undefined) continue
      // In place of the last bracket.
      const from = --this.#end
      const same = written.get(field)
      if (same !== undefined) this.#repeat(same.from, same.to)
      else written.set(field, { from, to: this.text(`,"brief_relevance":${JSON.stringify(field)}}`).#end })
    }
    this.text("]")
  }

  #repeat(from: number, to: number): void {
    this.#makeRoom(to - from)
    this.#buffer.copyWithin(this.#end, from, to)
    this.#end += to - from
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
