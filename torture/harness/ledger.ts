import { Database } from "bun:sqlite"
import { join } from "node:path"
import type { Booth } from "./booth.ts"

// Every item of a run has its own as_of, and its quantity is its number, so that each can be found again in the history.
export const FIRST_AS_OF_MS = Date.UTC(2025, 0, 1)

interface Sent {
  readonly first: number
  readonly count: number
  /** Places of the items that were answered accepted; null when no answer came. */
  accepted: readonly number[] | null
  /** Where the disk was when the answer had come. */
  answeredAt: number
}

/** What was sent to a server and what it answered, to be compared with what is on disk. */
export class Ledger {
  readonly #booth: Booth
  readonly #position: () => number
  #next = 1
  #sent: Sent[] = []
  /** How many items were answered, by verdict. */
  readonly verdicts = new Map<string, number>()

  /** `position` tells how far the disk is, where that matters. */
  constructor(booth: Booth, position: () => number = () => 0) {
    this.#booth = booth
    this.#position = position
  }

  /** Sends one batch and notes the answer. Throws when none comes. */
  async send(url: string, count: number, signal?: AbortSignal): Promise<Response> {
    const first = this.#next
    this.#next += count
    return await this.#post(url, first, count, signal)
  }

  /** Sends one batch twice, the second time a moment later: that answer rests on the first, which may not be on the disk yet. */
  async sendTwice(url: string, count: number, laterMs: number): Promise<void> {
    const first = this.#next
    this.#next += count
    await Promise.all([this.#post(url, first, count), Bun.sleep(laterMs).then(() => this.#post(url, first, count))])
  }

  async #post(url: string, first: number, count: number, signal?: AbortSignal): Promise<Response> {
    const sent: Sent = { first, count, accepted: null, answeredAt: Number.POSITIVE_INFINITY }
    this.#sent.push(sent)
    const response = await fetch(`${url}/api/ingest/delivery/metrics`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.#booth.ingestKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ items: Array.from({ length: count }, (_, i) => this.#item(sent.first + i)) }),
      signal: signal ?? null,
    })
    const text = await response.text()
    if (response.status === 200) this.#note(sent, JSON.parse(text) as Answer)
    else this.#count(String(response.status), count)
    return response
  }

  #item(number: number) {
    const { packageIds } = this.#booth
    return {
      package_id: packageIds[number % packageIds.length],
      impressions: number,
      as_of: new Date(FIRST_AS_OF_MS + number).toISOString(),
    }
  }

  #note(sent: Sent, { results }: Answer): void {
    sent.answeredAt = this.#position()
    sent.accepted = results.filter(({ status }) => status === "accepted").map(({ index }) => index)
    for (const { status, reason } of results) this.#count(reason ?? status, 1)
  }

  #count(verdict: string, count: number): void {
    this.verdicts.set(verdict, (this.verdicts.get(verdict) ?? 0) + count)
  }

  get acceptedCount(): number {
    return this.verdicts.get("accepted") ?? 0
  }

  /** Forgets what was checked, so that a long run compares each batch once. */
  forget(): void {
    this.#sent = []
  }

  /**
   * Compares with a data directory: what was accepted is there; what was not answered is there as a whole or not at all. Answers that came
   * after the disk was at `until` do not count.
   */
  problems(data: string, until = Number.POSITIVE_INFINITY): string[] {
    using database = new Database(join(data, "adbooth.db"), { readwrite: true })
    const rows = database.query<[number, number], []>("SELECT as_of, quantity FROM delivery_report").values()
    const kept = new Map(rows as [number, number][])
    const isThere = (number: number) => kept.get((FIRST_AS_OF_MS + number) * 1_000) === number
    return this.unexplained(isThere, until)
  }

  /** The same with whatever tells whether the item of a number is in the history. */
  unexplained(isThere: (number: number) => boolean, until = Number.POSITIVE_INFINITY): string[] {
    return this.#sent.flatMap(({ first, count, accepted, answeredAt }) => {
      if (accepted !== null && answeredAt <= until) {
        const lost = accepted.filter((index) => !isThere(first + index))
        return lost.length > 0 ? [`${lost.length} accepted items of a request are not there`] : []
      }
      const there = Array.from({ length: count }, (_, i) => isThere(first + i)).filter(Boolean).length
      return there > 0 && there < count ? [`${there} of ${count} items of an unanswered request are there`] : []
    })
  }
}

interface Answer {
  readonly results: readonly { readonly index: number; readonly status: string; readonly reason?: string }[]
}
