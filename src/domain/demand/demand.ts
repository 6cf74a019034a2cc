import type { Reading } from "../adcp/brief/reading/read-brief.ts"
import { maskText } from "../adcp/logged-arguments.ts"
import type { ProductFilters } from "../adcp/tools/get-products-input.ts"
import { cutText } from "../text/short-text.ts"

// What a buyer's agent asked for with get_products, and what it was shown.

const BRIEF_CHARACTERS_MAX = 240
// With room to recognize a credential by its start.
const BRIEF_CHARACTERS_READ = 800
const NAMES_MAX = 12

type Filters = Pick<ProductFilters, "countries" | "channels" | "budget_range">

export interface Shown {
  readonly brief: string | undefined
  readonly reading: Reading | undefined
  readonly filters: Filters | undefined
  readonly matched: number
  readonly products: readonly string[]
  readonly isNextPage: boolean
}

/** One question, however often it is asked. It belongs to the cached answer, so it is made once for each. */
export type Demand = Readonly<ReturnType<typeof demandOf>>

export function demandOf({ brief, reading, filters = {}, matched, products, isNextPage }: Shown) {
  const countries = [...(filters.countries ?? []), ...(reading?.countries ?? [])]
  const channels = [...(filters.channels ?? []), ...(reading?.channels ?? [])]
  return {
    /** Null without a brief: a list of everything, or of what the filters leave. */
    brief: brief === undefined ? null : briefText(brief),
    countries: distinct(countries),
    /** Channels. Earlier versions kept the length of a spot with them: "audio 30 s". */
    formats: distinct(channels),
    budget: budgetOf(reading, filters.budget_range),
    /** How many products fit, or may: 0 where the caller is told that none does, with products all the same, or sees none. */
    matched,
    products,
    /** Whether it is a further page of an answer, so that the question was counted before. */
    isNextPage,
  }
}

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)].slice(0, NAMES_MAX)

function briefText(brief: string): string {
  const text = maskText(brief.slice(0, BRIEF_CHARACTERS_READ))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
  return cutText(text, BRIEF_CHARACTERS_MAX)
}

function budgetOf(reading: Reading | undefined, range: Filters["budget_range"]) {
  const amount = range?.max ?? range?.min ?? reading?.budget?.most
  return amount === undefined ? null : { amount, currency: range?.currency ?? reading?.budget?.currency ?? null }
}
