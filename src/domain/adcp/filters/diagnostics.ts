import type { ProductFilters } from "../tools/product-filters-input.ts"
import type { SeenProduct } from "../view.ts"
import { applyFilters, type Catalogue, type FilterName, unansweredFilters } from "./index.ts"

interface Exclusion {
  count: number
  notes?: string
}

export interface FilterDiagnostics {
  semantics: "only" | "any"
  total_candidates: number
  excluded_by: Record<string, Exclusion>
}

/**
 * How many of the caller's products each filter excluded. Counts products that only this filter excluded; if nothing is left and no
 * single filter is the cause, counts what each would exclude by itself, so that an empty answer is explained.
 */
export function diagnose(
  seen: readonly SeenProduct[],
  kept: number,
  filters: ProductFilters,
  catalogue: Catalogue,
  unknown: readonly string[] = [],
): FilterDiagnostics {
  const names = Object.keys(filters) as FilterName[]
  const matches = (with_: ProductFilters) =>
    seen.filter((each) => applyFilters(each, with_, catalogue) !== undefined).length
  const alone = new Map(names.map((name) => [name, matches(without(filters, name)) - kept]))
  const explains = kept > 0 || [...alone.values()].some((count) => count > 0)
  const counts = explains
    ? alone
    : new Map(names.map((name) => [name, seen.length - matches({ [name]: filters[name] })]))
  return {
    semantics: explains ? "only" : "any",
    total_candidates: seen.length,
    excluded_by: Object.fromEntries([...excluded(counts), ...notApplied(names), ...notKnown(unknown)]),
  }
}

function without(filters: ProductFilters, name: FilterName): ProductFilters {
  const { [name]: _, ...rest } = filters
  return rest
}

const excluded = (counts: ReadonlyMap<FilterName, number>): [string, Exclusion][] =>
  [...counts].filter(([, count]) => count > 0).map(([name, count]) => [name, { count }])

const notApplied = (names: readonly FilterName[]): [string, Exclusion][] =>
  names
    .filter((name) => unansweredFilters.includes(name))
    .map((name) => [name, { count: 0, notes: "Not applied: the products do not say." }])

const UNKNOWN_MAX = 10

const notKnown = (names: readonly string[]): [string, Exclusion][] =>
  names
    .slice(0, UNKNOWN_MAX)
    .map((name) => [name.slice(0, 60), { count: 0, notes: "Not applied: this agent does not know this filter." }])
