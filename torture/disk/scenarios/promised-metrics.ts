import { Database } from "bun:sqlite"
import { join } from "node:path"
import type { Booth } from "../../harness/booth.ts"
import type { DiskControl } from "../disk-control.ts"

const CODES = Array.from({ length: 20 }, (_, i) => `CODE-${i}`)
const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2024, 0, 1)

/** Affiliate figures that were sent, each day once, and when they were answered. */
export class PromisedMetrics {
  readonly #booth: Booth
  readonly #disk: DiskControl
  readonly #answered: { readonly date: string; readonly clicks: number; readonly at: number }[] = []
  #next = 1

  constructor(booth: Booth, disk: DiskControl) {
    this.#booth = booth
    this.#disk = disk
  }

  get count(): number {
    return this.#answered.length * CODES.length
  }

  async registerCodes(url: string): Promise<void> {
    await this.#post(
      url,
      "codes",
      CODES.map((code, i) => ({ code, packageId: this.#booth.packageIds[i] })),
    )
  }

  async send(url: string): Promise<void> {
    const clicks = this.#next++
    const date = new Date(FIRST_DAY + (clicks % 700) * DAY_MS).toISOString().slice(0, 10)
    const answer = await this.#post(
      url,
      "metrics",
      CODES.map((code) => ({ code, date, clicks })),
    )
    if (answer.ok === true && clicks <= 700) this.#answered.push({ date, clicks, at: this.#disk.position() })
  }

  async #post(url: string, feed: "codes" | "metrics", rows: readonly unknown[]): Promise<{ readonly ok?: boolean }> {
    const response = await fetch(`${url}/api/ingest/affiliate/${feed}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.#booth.ingestKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ [feed]: rows }),
    })
    return (await response.json()) as { ok?: boolean }
  }

  problems(data: string, position: number): string[] {
    using database = new Database(join(data, "adbooth.db"), { readwrite: true })
    const rows = database.query<{ date: string; clicks: number; count: number }, []>(
      "SELECT date, clicks, count(*) AS count FROM affiliate_metric GROUP BY date, clicks",
    )
    const found = new Map(rows.all().map(({ date, clicks, count }) => [`${date} ${clicks}`, count]))
    const lost = this.#answered.filter(
      ({ date, clicks, at }) => at <= position && found.get(`${date} ${clicks}`) !== CODES.length,
    )
    const torn = [...found.values()].filter((count) => count !== CODES.length)
    return [
      ...(lost.length > 0 ? [`the affiliate figures of ${lost.length} answered requests are not there`] : []),
      ...(torn.length > 0 ? [`${torn.length} requests with affiliate figures are there in part`] : []),
    ]
  }
}
