import type { Random } from "../harness/random.ts"

/** A write, or a truncation where there are no bytes. */
export interface Change {
  readonly at: number
  readonly offset: number
  readonly bytes: Uint8Array | null
}

/** How much of what was not synced survives, and in pieces of which size. */
export interface Survival {
  /** From 0 for nothing to 1 for everything. */
  readonly share: number
  readonly pieceBytes: number
}

/** The content of a file while it grows. */
class Content {
  #bytes: Uint8Array
  size: number

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.size = bytes.length
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.size)
  }

  write(offset: number, bytes: Uint8Array): void {
    this.resize(Math.max(this.size, offset + bytes.length))
    this.#bytes.set(bytes, offset)
  }

  resize(size: number): void {
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length))
      larger.set(this.bytes)
      this.#bytes = larger
    }
    // Room that comes back later must be zeros.
    if (size < this.size) this.#bytes.fill(0, size, this.size)
    this.size = size
  }

  apply({ offset, bytes }: Change): void {
    if (bytes === null) this.resize(offset)
    else this.write(offset, bytes)
  }
}

/** A file as the disk has it, and what was done to it since. */
export class DiskFile {
  readonly #durable: Content
  #pending: Change[] = []
  // Linux takes pages for clean after a sync that failed: a later one does not write them again.
  #doubtful: Change[] = []

  constructor(bytes: Uint8Array) {
    this.#durable = new Content(bytes)
  }

  change(change: Change): void {
    this.#pending.push(change)
  }

  /** A sync that began there is done: everything before is durable. */
  synced(began: number): void {
    for (const change of this.#takeBefore(began)) {
      this.#durable.apply(change)
      this.#doubtful = this.#doubtful.filter((old) => !overlap(old, change))
    }
  }

  syncFailed(began: number): void {
    this.#doubtful.push(...this.#takeBefore(began))
  }

  #takeBefore(began: number): Change[] {
    const taken = this.#pending.filter(({ at }) => at < began)
    this.#pending = this.#pending.filter(({ at }) => at >= began)
    return taken
  }

  /** What a power cut leaves: each piece of an unsynced change is there or not, whatever came before or after it. */
  afterCut(random: Random, survival: Survival): Uint8Array {
    const unsynced = [...this.#doubtful, ...this.#pending]
    if (unsynced.length === 0) return this.#durable.bytes
    const left = new Content(this.#durable.bytes.slice())
    for (const change of unsynced) survive(left, change, random, survival)
    return left.bytes
  }
}

function overlap(old: Change, newer: Change): boolean {
  if (newer.bytes === null || old.bytes === null) return true
  return old.offset < newer.offset + newer.bytes.length && newer.offset < old.offset + old.bytes.length
}

function survive(left: Content, change: Change, random: Random, { share, pieceBytes }: Survival): void {
  const { offset, bytes } = change
  if (bytes === null) {
    if (random.next() < share) left.apply(change)
    return
  }
  const end = offset + bytes.length
  // Sectors and pages are counted from the start of the file.
  for (let from = offset; from < end; ) {
    const until = Math.min(end, (Math.floor(from / pieceBytes) + 1) * pieceBytes)
    if (random.next() < share) left.write(from, bytes.subarray(from - offset, until - offset))
    from = until
  }
  if (left.size < end && share > 0 && random.next() < 0.5) growEmpty(left, end, random)
}

/** The size arrived and the content did not: zeros, or on some file systems whatever was there before. */
function growEmpty(left: Content, end: number, random: Random): void {
  const start = left.size
  left.resize(end)
  if (random.next() < 0.7) return
  const garbage = Uint8Array.from({ length: end - start }, () => random.below(256))
  left.write(start, garbage)
}
