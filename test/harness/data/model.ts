import type { Moment } from "../../../src/domain/time/moment.ts"

export interface ModelReport {
  readonly asOf: Moment
  readonly quantity: number
}

/**
 * What the reports of one line come to, worked out from the list of all reports in the order of receipt. It's slow and obvious,
 * and shares no code with the program.
 */
export class ModelLine {
  /** The reports that count, in the order of receipt. */
  readonly reports: ModelReport[] = []

  report(asOf: Moment, quantity: number): string {
    const current = this.total()
    const before = this.reports.findLast((report) => report.asOf === asOf)
    if (before?.quantity !== quantity) this.reports.push({ asOf, quantity })
    if (current === null) return "applied"
    if (asOf < current.asOf) return "older_than_current"
    return quantity === current.quantity ? "unchanged" : "applied"
  }

  /** Withdraws the nth report. */
  withdraw(index: number): void {
    this.reports.splice(index, 1)
  }

  total(): ModelReport | null {
    return this.#counting().at(-1) ?? null
  }

  /** The figure of each day: the smallest total measured at the end of that day or later. */
  days(timeZone: string): { day: string; quantity: number }[] {
    const counting = this.#counting()
    const dateOf = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" })
    const byDay = Map.groupBy(counting, ({ asOf }) => dateOf.format(asOf / 1_000))
    return [...byDay].map(([day, ofDay]) => {
      const end = Math.max(...ofDay.map(({ asOf }) => asOf))
      const later = counting.filter(({ asOf }) => asOf >= end)
      return { day, quantity: Math.min(...later.map(({ quantity }) => quantity)) }
    })
  }

  /** The report of each moment that was received last, by moment. */
  #counting(): ModelReport[] {
    const latest = new Map(this.reports.map((report) => [report.asOf, report]))
    return [...latest.values()].sort((a, b) => a.asOf - b.asOf)
  }
}

/** The last microsecond of a day. */
export const endOfDay = (date: string, timeZone: string): Moment =>
  Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds * 1_000 - 1
