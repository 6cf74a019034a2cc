import { literals } from "../schema/schema-helpers.ts"
import { DECIMAL, type NumberField, WHOLE } from "../text/typed-number.ts"

interface Basis {
  readonly label: string
  /** What is agreed, where somebody chooses it. */
  readonly note: string
}

/** A basis that is counted. Its name is also its unit, and the field of the API and the column of a file that take the quantity. */
interface CountedBasis extends Basis {
  /** Whole numbers only, or with a fraction. */
  readonly number: NumberField
  readonly per: number
  readonly example: number
  /** Other names of its column in files, in lower case and without spaces. */
  readonly aliases: readonly string[]
  /** Words in the heading of a column that suggest it. */
  readonly words: readonly string[]
  /** In AdCP: the model of the price, and the name of the delivered quantity. */
  readonly model: string
  readonly metric: string
}

/** All that a line can be priced on by quantity. Schemas, columns, forms, labels and sums follow from this table. */
const COUNTED = {
  impressions: {
    label: "Impressions",
    note: "A price for each 1,000 times it was shown or heard",
    number: WHOLE,
    per: 1_000,
    example: 125_000,
    aliases: (
      "adimpressions imps impr impressionstotal totalimpressions adserverimpressions served impressionsserved impressionsdelivered " +
      "deliveredimpressions impressionssofar impressionstodate impressionen adimpressionen ausgelieferteimpressions einblendungen " +
      "auslieferung auslieferungen impresiones"
    ).split(" "),
    words: (
      "impression impressions imps impr delivered served views opens impressionen einblendungen auslieferung " +
      "auslieferungen ausgeliefert aufrufe öffnungen affichages diffusions vues impresiones visualizaciones"
    ).split(" "),
    model: "cpm",
    metric: "impressions",
  },
  downloads: {
    label: "Downloads",
    note: "A price for each 1,000 downloads of an episode",
    number: DECIMAL,
    per: 1_000,
    example: 3_400.5,
    aliases:
      "totaldownloads downloadstotal downloadssofar downloadstodate downloadsgesamt gesamtdownloads téléchargements descargas".split(
        " ",
      ),
    words: "download downloads listens plays streams abrufe téléchargements écoutes descargas".split(" "),
    model: "cpm",
    metric: "downloads",
  },
} as const satisfies Readonly<Record<string, CountedBasis>>

/** A line that is delivered or not, and takes no quantity. */
const FLAT_RATE: Basis = { label: "Flat rate", note: "One price, marked as delivered when it has run" }

/** What is counted: the basis of every line but those at a flat rate. */
export type Unit = keyof typeof COUNTED
export type PricingBasis = Unit | "flat_rate"

export const COUNTED_BASES: Readonly<Record<Unit, CountedBasis>> = COUNTED
export const PRICING_BASES: Readonly<Record<PricingBasis, Basis>> = { ...COUNTED, flat_rate: FLAT_RATE }
export const UNITS = Object.keys(COUNTED) as [Unit, ...Unit[]]
export const BASES = Object.keys(PRICING_BASES) as [PricingBasis, ...PricingBasis[]]

const words = (names: readonly string[], type: "disjunction" | "conjunction") =>
  new Intl.ListFormat("en-GB", { type }).format(names)

/** "impressions or downloads" */
export const ANY_UNIT = words(UNITS, "disjunction")
export const ONE_UNIT_ONLY = `only one of ${words(UNITS, "conjunction")}`

export const PricingBasis = literals(BASES, `What the line is priced on: ${words(BASES, "disjunction")}.`)

export const isUnit = (name: string): name is Unit => Object.hasOwn(COUNTED, name)
export const isPricingBasis = (name: string): name is PricingBasis => Object.hasOwn(PRICING_BASES, name)
export const takesFraction = (unit: Unit): boolean => COUNTED_BASES[unit].number.decimals > 0

/** What a price is for: "1,000 impressions". */
export const pricedQuantity = (unit: Unit): string => `${COUNTED_BASES[unit].per.toLocaleString("en")} ${unit}`
