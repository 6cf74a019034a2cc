import { memoize } from "../memoize.ts"

// Amounts are decimals in text ("2900.00", "-112.80"): binary fractions would be a cent off sooner or later.

export type Decimal = string

type Exact = Readonly<{ digits: bigint; places: number }>

const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

function exact(value: number | Decimal): Exact {
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = WRITTEN.exec(String(value)) ?? []
  const digits = BigInt(`${sign}${whole}${fraction}`)
  const places = fraction.length - Number(exponent)
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places }
}

/** Half a unit goes away from zero, as on an invoice. */
function rounded({ digits, places }: Exact, to: number, by: bigint): Decimal {
  const wanted = digits * 10n ** BigInt(to)
  const unit = 10n ** BigInt(places) * by
  const half = (wanted < 0n ? -unit : unit) / 2n
  const text = String((wanted + half) / unit)
  const [sign, plain] = text.startsWith("-") ? ["-", text.slice(1)] : ["", text]
  const padded = plain.padStart(to + 1, "0")
  return to === 0 ? `${sign}${padded}` : `${sign}${padded.slice(0, -to)}.${padded.slice(-to)}`
}

/** How many decimal places the smallest coin of a currency has: 2 for EUR, none for JPY. */
export const coinDigits = memoize(200, (currency: string) => {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
  return maximumFractionDigits
})

/** So many of its smallest coins make one of a currency. */
const coinsIn = memoize(200, (currency: string) => 10 ** coinDigits(currency))

/** What so many cost at a price for each `per` of them, to the smallest coin. */
export function costOf(quantity: number | Decimal, price: number | Decimal, per: number, currency: string): Decimal {
  const [a, b] = [exact(quantity), exact(price)]
  const product = { digits: a.digits * b.digits, places: a.places + b.places }
  return rounded(product, coinDigits(currency), BigInt(per))
}

/** The same as a number, for the figures of many lines: in whole numbers, as long as these are exact. */
export function costAsNumber(quantity: number, price: number, per: number, currency: string | null): number {
  const coin = currency === null ? 100 : coinsIn(currency)
  const millionths = Math.round(price * 1e6)
  const unit = (per * 1e6) / coin
  const wanted = quantity * millionths + unit / 2
  // One more unit is exact, too: so what is less than a coin is never rounded up to it when divided.
  if (millionths / 1e6 !== price || !Number.isInteger(quantity) || wanted + unit > Number.MAX_SAFE_INTEGER)
    return Number(costOf(quantity, price, per, currency ?? "EUR"))
  return Math.floor(wanted / unit) / coin
}

/** The smallest amount that there is. */
export const coinOf = (currency: string): Decimal => costOf(1, 1, 10 ** coinDigits(currency), currency)

/** For a form: 12.125 could also be twelve thousand; 12.1250 could not. */
export const typedMoney = (amount: Decimal): string =>
  /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(amount) ? `${amount}0` : amount

export const inCoins = (amount: number | Decimal, currency: string): Decimal => costOf(amount, 1, 1, currency)

/** How many whole ones a budget buys: as many as it covers or, rounded up, the fewest that cost no less. */
export function quantityFor(budget: Decimal, price: Decimal, per: number, round: "down" | "up"): number {
  const [a, b] = [exact(budget), exact(price)]
  if (b.digits <= 0n) return 0
  const wanted = a.digits * 10n ** BigInt(b.places) * BigInt(per)
  const unit = b.digits * 10n ** BigInt(a.places)
  return Number(round === "down" ? wanted / unit : (wanted + unit - 1n) / unit)
}

export function sumOf(amounts: readonly Decimal[], currency: string): Decimal {
  const places = coinDigits(currency)
  const digits = amounts.reduce((sum, amount) => sum + exact(inCoins(amount, currency)).digits, 0n)
  return rounded({ digits, places }, places, 1n)
}

export const minus = (a: Decimal, b: Decimal, currency: string): Decimal =>
  sumOf([a, b.startsWith("-") ? b.slice(1) : `-${b}`], currency)

/** Below zero where the first is less, above zero where it is more. */
export function compare(a: number | Decimal, b: number | Decimal): number {
  const [x, y] = [exact(a), exact(b)]
  return Number(x.digits * 10n ** BigInt(y.places) - y.digits * 10n ** BigInt(x.places))
}
