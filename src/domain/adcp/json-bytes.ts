import { jsonOf, keptJson, WithField } from "./json-fragment.ts"

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
    const kept = keptJson(value)
    return kept === undefined ? this.text(jsonOf(value)) : this.#copy(kept)
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
    let latest: string | undefined
    let end = ""
    this.text("[")
    for (let place = 0; place < objects.length; place++) {
      const field = fields[place]
      const comma = place === objects.length - 1 ? "" : ","
      this.value(objects[place])
      if (field === undefined) {
        this.text(comma)
        continue
      }
      // Neighbours often have the same.
      if (field !== latest) end = `${start}${JSON.stringify(field)}}`
      latest = field
      // In place of the last bracket.
      this.#end--
      this.text(end + comma)
    }
    this.text("]")
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
