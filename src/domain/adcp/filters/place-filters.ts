import { countryOfMetro, covers } from "../catalogue/territory.ts"
import type { ProductFilters } from "../tools/product-filters-input.ts"

type Territories = readonly string[]
type Postal = NonNullable<ProductFilters["postal_areas"]>[number]

// A product says in which countries it is opened and nothing finer, so a place inside a country counts as that country.

export const inCountries = (opened: Territories, asked: readonly string[]) =>
  asked.some((country) => covers(opened, country))

export const inRegions = (opened: Territories, asked: readonly string[]) =>
  asked.some((region) => covers(opened, region.slice(0, 2)))

/** A metro system of somebody's own does not tell its country, and leaves nothing out. */
export const inMetros = (opened: Territories, asked: NonNullable<ProductFilters["metros"]>) =>
  asked.some(({ system, code }) => coversIfKnown(opened, countryOfMetro(system, code)))

export const inPostalAreas = (opened: Territories, asked: readonly Postal[]) =>
  asked.some((area) => coversIfKnown(opened, area.country ?? countryOfPostalSystem(area.system)))

const coversIfKnown = (opened: Territories, country: string | undefined) =>
  country === undefined || covers(opened, country)

/** Older names of postal systems begin with their country: us_zip, de_plz. */
function countryOfPostalSystem(system: string): string | undefined {
  return /^[a-z]{2}_/.test(system) ? system.slice(0, 2).toUpperCase() : undefined
}
