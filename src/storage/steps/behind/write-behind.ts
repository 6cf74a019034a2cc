export interface Behind<Row> {
  /** What becomes of two rows with the same key; it may change the older one. Without it, every row has a key of its own. */
  readonly merge?: (older: Row, newer: Row) => Row
  /** How much of the room a row takes: 1 if nothing is said. */
  readonly sizeOf?: (row: Row) => number
  /** The room for rows that wait; what does not fit is dropped. Without it, keys are few by themselves. */
  readonly room?: number
  /** Rows are flushed whenever this much more of the room is taken. */
  readonly flushedAt?: number
  /** Whether rows wait for a flush, so that they make no other commit slower. */
  readonly ridesAlone?: boolean
}

/**
 * Rows that no request waits for, such as calls for the log. They are collected in memory and written along with the next commit, by a
 * flush every few seconds or when there are many, and at a clean stop. While the database is away they wait, in bounded room.
 */
export class WriteBehind<Row, Args extends unknown[] = [], Done = void> {
  readonly #kind: Behind<Row>
  readonly #write: (rows: readonly Row[], ...args: Args) => Done
  readonly #flush: () => Promise<void>
  #waiting = new Map<unknown, Row>()
  #underWay: ReadonlyMap<unknown, Row> = new Map()
  #taken = 0
  #isDue = false
  #isFlushing = false

  constructor(kind: Behind<Row>, write: (rows: readonly Row[], ...args: Args) => Done, flush: () => Promise<void>) {
    this.#kind = kind
    this.#write = write
    this.#flush = flush
  }

  add(row: Row, key: unknown = row): void {
    const { merge, sizeOf, room = Number.POSITIVE_INFINITY, flushedAt = room, ridesAlone = false } = this.#kind
    const older = this.#waiting.get(key)
    if (older !== undefined && merge !== undefined) {
      this.#waiting.set(key, merge(older, row))
      return
    }
    const before = this.#taken
    const taken = before + (sizeOf?.(row) ?? 1)
    if (taken > room) return
    this.#waiting.set(key, row)
    this.#taken = taken
    this.#isDue ||= !ridesAlone
    if (Math.floor(taken / flushedAt) > Math.floor(before / flushedAt)) void this.#flushSoon()
  }

  /** The row that waits under a key. It may be changed until it is written. */
  find(key: unknown): Row | undefined {
    return this.#waiting.get(key)
  }

  hasRoom(): boolean {
    return this.#taken < (this.#kind.room ?? Number.POSITIVE_INFINITY)
  }

  isDue(): boolean {
    return this.#isDue || this.#underWay.size > 0
  }

  /** From now on everything that waits is due. */
  collect(): void {
    this.#isDue ||= this.#waiting.size > 0
  }

  /** Writes what is due. It may be called again before `written`: what it wrote before was undone then. */
  write(...args: Args): Done {
    const newer = this.#waiting
    this.#waiting = new Map(this.#underWay)
    for (const [key, row] of newer) {
      const older = this.#waiting.get(key)
      this.#waiting.set(key, older === undefined ? row : (this.#kind.merge?.(older, row) ?? row))
    }
    this.#underWay = this.#waiting
    this.#waiting = new Map()
    this.#isDue = false
    return this.#write([...this.#underWay.values()], ...args)
  }

  /** Called after the commit: what was written is dropped from memory, and nothing that came since. */
  written(): void {
    if (this.#underWay.size === 0) return
    this.#underWay = new Map()
    this.#taken = 0
    for (const row of this.#waiting.values()) this.#taken += this.#kind.sizeOf?.(row) ?? 1
  }

  async #flushSoon(): Promise<void> {
    if (this.#isFlushing) return
    this.#isFlushing = true
    // What fails here fails again with the flush every few seconds, which says so.
    await this.#flush().catch(() => undefined)
    this.#isFlushing = false
  }
}
