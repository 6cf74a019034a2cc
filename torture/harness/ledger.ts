import type { Booth } from "./booth.ts"

// Each item has a moment and a quantity of its own, so that it can be found again. No moment is a midnight.
const FIRST_AS_OF_MS = Date.UTC(2025, 0, 1, 0, 0, 1)
const STEP_MS = 5_000
const MICROS_PER_MS = 1_000

interface Sent {
  readonly first: number
  readonly count: number
  /** The places of accepted items. Null if no answer came. */
  accepted: readonly number[] | null
}

interface DeliveryAnswer {
  readonly results: readonly { readonly index: number; readonly status: string; readonly reason?: string }[]
}

/** A stored report: when it was measured, and the total. */
export type StoredReport = readonly [asOf: number, quantity: number]

/** What was sent and what was answered, to be compared with what is stored. */
export class Ledger {
  readonly #booth: Booth
  #next: number
  #sent: Sent[] = []
  /** How many items were answered in which way: accepted, a reason, a status, or no answer. */
  readonly outcomes = new Map<string, number>()

  /** A second ledger of the same database must begin with another number. */
  constructor(booth: Booth, first = 1) {
    this.#booth = booth
    this.#next = first
  }

  get accepted(): number {
    return this.outcomes.get("accepted") ?? 0
  }

  /** Reports so many items, and returns how many were accepted. Throws if no answer comes. */
  async send(url: string, count: number, patienceMs = 30_000): Promise<number> {
    const sent: Sent = { first: this.#next, count, accepted: null }
    this.#next += count
    this.#sent.push(sent)
    try {
      const response = await this.#post(url, sent, patienceMs)
      const text = await response.text()
      if (response.status !== 200) return this.#count(String(response.status), count)
      const { results } = JSON.parse(text) as DeliveryAnswer
      sent.accepted = results.filter(({ status }) => status === "accepted").map(({ index }) => index)
      for (const { status, reason } of results) this.#count(reason ?? status, 1)
      return sent.accepted.length
    } catch (cause) {
      this.#count("no answer", count)
      throw cause
    }
  }

  /** Broken promises: accepted items that aren't stored, and requests of which only a part is. */
  problems(stored: readonly StoredReport[]): string[] {
    const quantities = new Map(stored)
    const isStored = (number: number) => quantities.get(asOfMs(number) * MICROS_PER_MS) === number
    const problems = this.#sent.flatMap(({ first, count, accepted }) => {
      const lost = (accepted ?? []).filter((index) => !isStored(first + index))
      if (lost.length > 0) return [`${lost.length} accepted items of a request aren't stored`]
      if (accepted !== null) return []
      const kept = Array.from({ length: count }, (_, i) => isStored(first + i)).filter(Boolean).length
      return kept > 0 && kept < count ? [`${kept} of ${count} items of an unanswered request are stored`] : []
    })
    this.#sent = []
    return problems
  }

  #post(url: string, { first, count }: Sent, patienceMs: number): Promise<Response> {
    const { packageIds, ingestKey } = this.#booth
    const items = Array.from({ length: count }, (_, i) => ({
      package_id: packageIds[(first + i) % packageIds.length],
      impressions: first + i,
      as_of: new Date(asOfMs(first + i)).toISOString(),
    }))
    return fetch(`${url}/api/ingest/delivery/metrics`, {
      method: "POST",
      headers: { Authorization: `Bearer ${ingestKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ items }),
      signal: AbortSignal.timeout(patienceMs),
    })
  }

  #count(outcome: string, count: number): 0 {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + count)
    return 0
  }
}

const asOfMs = (number: number): number => FIRST_AS_OF_MS + number * STEP_MS

/** "120 accepted, 3 internal_error". */
export function outcomesOf({ outcomes }: Ledger): string {
  return [...outcomes].map(([outcome, count]) => `${count.toLocaleString("en")} ${outcome}`).join(", ")
}
