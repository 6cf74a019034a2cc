import { COUNTER_MARK } from "./job.ts"

/** A request whose counter marks can be filled in place, without building 50 KB anew for each sending. */
export class NumberedRequest {
  readonly #bytes: Buffer
  readonly #places: readonly number[]

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#places = placesOf(COUNTER_MARK, bytes)
  }

  /** The same buffer each time: it must be handed to the kernel before the next call. */
  numbered(count: number): Buffer {
    const digits = Buffer.from(String(count % 1_000_000).padStart(COUNTER_MARK.length, "0"), "latin1")
    for (const place of this.#places) digits.copy(this.#bytes, place)
    return this.#bytes
  }
}

function placesOf(mark: string, bytes: Buffer): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) places.push(at)
  return places
}
