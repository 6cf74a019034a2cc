import { dayAfter, type Moment } from "../../../domain/time/moment.ts"
import { startOfDay } from "../../../domain/time/time-zone.ts"
import { periodOf } from "../lists.tsx"
import type { Visit } from "../visit.ts"

export interface TimeSpan {
  readonly from?: Moment
  readonly until?: Moment
}

/** The time between the two days of a filter, both included. */
export function timeSpanOf({ url, zone }: Pick<Visit, "url" | "zone">): TimeSpan {
  const { from, to } = periodOf(url)
  return {
    ...(from !== null && { from: startOfDay(from, zone) }),
    ...(to !== null && { until: startOfDay(dayAfter(to), zone) }),
  }
}

/** A value of the query, or nothing when it is empty. */
export function given<Name extends string>(query: URLSearchParams, name: Name): { readonly [key in Name]?: string } {
  const value = (query.get(name) ?? "").trim()
  return (value === "" ? {} : { [name]: value }) as { readonly [key in Name]?: string }
}

/** The entry before which the page begins; null for the newest page. */
export function beforeOf(query: URLSearchParams): number | null {
  const text = query.get("before") ?? ""
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
