import { countryOfMetro, covers } from "../catalogue/territory.ts"
import type { ProductFilters } from "../tools/product-filters-input.ts"

type Territories = readonly string[]
type Postal = NonNullable<ProductFilters["postal_areas"]>[number]

// Products are opened by country, so a place inside a country counts as that country.

export const inCountries = (opened: Territories, asked: readonly string[]) =>
  asked.some((country) => covers(opened, country))

export const inRegions = (opened: Territories, asked: readonly string[]) =>
  asked.some((region) => covers(opened, region.slice(0, 2)))

/** A custom metro system has no known country, and excludes nothing. */
export const inMetros = (opened: Territories, asked: NonNullable<ProductFilters["metros"]>) =>
  asked.some(({ system, code }) => coversIfKnown(opened, countryOfMetro(system, code)))

export const inPostalAreas = (opened: Territories, asked: readonly Postal[]) =>
  asked.some((area) => coversIfKnown(opened, area.country ?? countryOfPostalSystem(area.system)))

const coversIfKnown = (opened: Territories, country: string | undefined) =>
  country === undefined || covers(opened, country)

/** Legacy names of postal systems start with the country: us_zip, de_plz. */
function countryOfPostalSystem(system: string): string | undefined {
  return /^[a-z]{2}_/.test(system) ? system.slice(0, 2).toUpperCase() : undefined
}
