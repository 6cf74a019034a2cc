import { readPeriod, type TypedPeriod } from "../../../domain/time/typed-day.ts"
import { goTo } from "../respond.ts"
import type { Visit } from "../visit.ts"

/** The days of a filter: "from" and "to" in the query, both included. With errors nothing is listed: the page shows them at their fields. */
export function periodOf({ searchParams }: URL, from = ""): TypedPeriod {
  return readPeriod(searchParams.get("from") ?? from, searchParams.get("to") ?? "")
}

export const isReadable = ({ errors }: TypedPeriod): boolean => Object.keys(errors).length === 0

/** A file cannot say what is wrong with a filter, so the page at `path` with the same filter does. */
export function fileOfPeriod<V extends Visit>(
  path: (visit: V) => string,
  file: (visit: V) => Response | Promise<Response>,
  period: (visit: V) => TypedPeriod = ({ url }) => periodOf(url),
) {
  return (visit: V) => (isReadable(period(visit)) ? file(visit) : goTo(visit, `${path(visit)}${visit.url.search}`))
}
