import { fragmentOf, jsonOf } from "./json-fragment.ts"

// Most answers fit. A larger buffer is not kept: one answer of a large page would hold it for ever.
const KEPT_BYTES = 512 * 1024
const UTF8_BYTES_PER_UNIT_MAX = 3

/**
 * Puts JSON together as bytes, from kept fragments and from whatever is new. One buffer serves all answers, since a response copies
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
      if (Array.isArray(value) && fragmentOf(value) === undefined) this.#list(value)
      else this.value(value, "")
      before = ","
    }
    return this.text(before === "{" ? "{}" : "}")
  }

  /** A value, and what follows it. */
  value(value: unknown, after: string): this {
    const fragment = typeof value === "object" && value !== null ? fragmentOf(value) : undefined
    if (fragment === undefined) return this.text(jsonOf(value) + after)
    const { shared, rest } = fragment
    this.#makeRoom(shared.length)
    this.#end += shared.copy(this.#buffer, this.#end)
    return this.text(rest + after)
  }

  #list(list: readonly unknown[]): void {
    this.text("[")
    const last = list.length - 1
    for (let place = 0; place <= last; place++) this.value(list[place], place === last ? "" : ",")
    this.text("]")
  }

  #makeRoom(length: number): void {
    const wanted = this.#end + length
    if (wanted <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#buffer.length, KEPT_BYTES / 2))
    this.#buffer.copy(larger, 0, 0, this.#end)
    this.#buffer = larger
  }
}
