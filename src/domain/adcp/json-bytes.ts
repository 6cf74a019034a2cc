import { jsonOf, keptJson, Lines, WithField } from "./json-fragment.ts"

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
      if (value instanceof WithField) this.#withField(value)
      else if (Array.isArray(value) && keptJson(value) === undefined) this.#list(value)
      else this.value(value)
      before = ","
    }
    return this.text(before === "{" ? "{}" : "}")
  }

  value(value: unknown): this {
    if (value instanceof Lines) return this.#lines(value)
    const kept = keptJson(value)
    return kept === undefined ? this.text(jsonOf(value)) : this.#copy(kept)
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

  #withField({ objects, name, fields }: WithField<object>): void {
    const start = `,${JSON.stringify(name)}:`
    // Where each field was written first: most are the same as an earlier one.
    const written = new Map<string, { readonly from: number; readonly to: number }>()
    this.text("[")
    for (let place = 0; place < objects.length; place++) {
      if (place > 0) this.text(",")
      this.value(objects[place])
      const field = fields[place]
      if (field === undefined) continue
      // In place of the last bracket.
      const from = --this.#end
      const same = written.get(field)
      if (same !== undefined) this.#repeat(same.from, same.to)
      else written.set(field, { from, to: this.text(`${start}${JSON.stringify(field)}}`).#end })
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
