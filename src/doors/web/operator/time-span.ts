import { dayAfter, type Moment, parseDate } from "../../../domain/time/moment.ts"
import { startOfDay } from "../../../domain/time/time-zone.ts"
import { ZONE } from "./zone.ts"

export interface TimeSpan {
  readonly from?: Moment
  readonly until?: Moment
}

/** The span between two days, both included, as the filters of an address name them. What is no day is left out. */
export function timeSpanOf(query: URLSearchParams): TimeSpan {
  const from = parseDate(query.get("from") ?? "")
  const to = parseDate(query.get("to") ?? "")
  return {
    ...(from !== undefined && { from: startOfDay(from, ZONE) }),
    ...(to !== undefined && { until: startOfDay(dayAfter(to), ZONE) }),
  }
}

/** A value of the address, or nothing when it is empty. */
export function given<Name extends string>(query: URLSearchParams, name: Name): { readonly [key in Name]?: string } {
  const value = (query.get(name) ?? "").trim()
  return (value === "" ? {} : { [name]: value }) as { readonly [key in Name]?: string }
}

/** Where the entry is from which an older page begins. */
export function beforeOf(query: URLSearchParams): number | null {
  const text = query.get("before") ?? ""
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** The address of a page with one thing changed. */
export function withQuery(url: URL, name: string, value: string | null): string {
  const query = new URLSearchParams(url.searchParams)
  if (value === null) query.delete(name)
  else query.set(name, value)
  const text = query.toString()
  return text === "" ? url.pathname : `${url.pathname}?${text}`
}
