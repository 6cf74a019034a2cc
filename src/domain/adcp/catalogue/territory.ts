import { nameOfCountry } from "../../countries.ts"
import { EVERYWHERE } from "../../keys/opening.ts"
import type { Product } from "../schema/product/product.ts"

export const covers = (territories: readonly string[], country: string): boolean =>
  territories.includes(EVERYWHERE) || territories.includes(country)

/** The sentence that ends the description of an opened product. */
export function territorySentence(territories: readonly string[]): string {
  if (territories.includes(EVERYWHERE)) return "Available everywhere."
  return `Available in ${listed(territories.toSorted().map(nameOfCountry))}.`
}

function listed(words: string[]): string {
  const last = words.at(-1) ?? ""
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`
}

type Point = NonNullable<Product["forecast"]>["points"][number]
/** Also of a place that only an earlier version stored. */
type Dimension = Readonly<{ kind: string; geo_level?: string; geo_code?: string; system?: string; country?: string }>

/** The forecast without places that are not opened; undefined when nothing is left. */
export function openedForecast(forecast: Product["forecast"], territories: readonly string[]): Product["forecast"] {
  if (!forecast || territories.includes(EVERYWHERE)) return forecast
  const points = forecast.points.filter((point) => opened(point, territories))
  return points.length === 0 ? undefined : { ...forecast, points }
}

function opened(point: Point, territories: readonly string[]): boolean {
  const countries = (point.dimensions ?? []).map(countryOf).filter((country) => country !== undefined)
  return countries.every((country) => territories.includes(country))
}

function countryOf(dimension: Dimension): string | undefined {
  const { kind, geo_level, geo_code = "", system = "", country } = dimension
  if (kind !== "geo") return undefined
  if (geo_level === "metro") return countryOfMetro(system, geo_code)
  return geo_level === "postal_area" ? (country ?? system.slice(0, 2).toUpperCase()) : geo_code.slice(0, 2)
}

/** The country of a metro area, if its system tells. */
export function countryOfMetro(system: string, code: string): string | undefined {
  if (system === "nielsen_dma") return "US"
  if (system.startsWith("uk_")) return "GB"
  if (system !== "eurostat_nuts2") return undefined
  const prefix = code.slice(0, 2)
  return { EL: "GR", UK: "GB" }[prefix] ?? prefix
}
