import { countryOfMetro } from "../catalogue/territory.ts"
import { cutText } from "../text.ts"
import type { ProductView } from "../view.ts"
import {
  countryOfPostalArea,
  type Demands,
  type FilterName,
  firstExclusion,
  hasForecast,
  withoutFilter,
} from "./products.ts"

const UNKNOWN_MAX = 10
const UNANSWERED: readonly FilterName[] = ["geo_proximity", "keywords", "end_date"]
const NOT_STATED = "Not applied: the products don't say."
const NOT_KNOWN = "Not applied: this agent doesn't know this filter."
const BY_COUNTRY = "Applied by country: products are shown in whole countries."
const NO_COUNTRY = "Not applied: the country of a place isn't known."

interface Exclusion {
  readonly count: number
  readonly notes?: string
}

/**
 * Counts the products that each filter alone left out. If no product is left and no filter alone is the cause, it
 * counts what each filter would leave out by itself.
 */
export function diagnose(view: ProductView, remaining: number, demands: Demands, unknown: readonly string[]) {
  const names = Object.keys(demands) as FilterName[]
  const left = (some: Demands) => view.products.filter((seen) => firstExclusion(seen, some, view) === null).length
  const alone = new Map(names.map((name) => [name, left(withoutFilter(demands, name)) - remaining]))
  const explains = remaining > 0 || alone.values().some((count) => count > 0)
  const countOf = (name: FilterName) =>
    (explains ? alone.get(name) : view.products.length - left({ [name]: demands[name] })) ?? 0
  const excluded = names.flatMap((name): [string, Exclusion][] => {
    const count = countOf(name)
    const notes = noteOn(name, demands, view)
    return count === 0 && notes === null ? [] : [[name, { count, ...(notes !== null && { notes }) }]]
  })
  const ignored = unknown.slice(0, UNKNOWN_MAX).map((name): [string, Exclusion] => {
    return [cutText(name, 60), { count: 0, notes: NOT_KNOWN }]
  })
  return {
    semantics: explains ? "only" : "any",
    total_candidates: view.products.length,
    excluded_by: Object.fromEntries([...excluded, ...ignored]),
  }
}

/** A note about what the filter doesn't check. */
function noteOn(name: FilterName, demands: Demands, { products }: ProductView): string | null {
  if (UNANSWERED.includes(name)) return NOT_STATED
  switch (name) {
    case "regions":
      return BY_COUNTRY
    case "metros":
      return placeNote((demands.metros ?? []).map(({ system, code }) => countryOfMetro(system, code)))
    case "postal_areas":
      return placeNote((demands.postal_areas ?? []).map(countryOfPostalArea))
    case "min_exposures": {
      const silent = products.filter((seen) => !hasForecast(seen)).length
      return silent === 0 ? null : `Not applied to ${silent} of ${products.length} products: they have no forecast.`
    }
    default:
      return null
  }
}

const placeNote = (countries: readonly (string | null)[]): string =>
  countries.includes(null) ? NO_COUNTRY : BY_COUNTRY
