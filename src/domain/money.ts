/** A whole number of the smallest coins of a currency: cents of EUR, yen of JPY. Sums of coins are exact. */
export type Coins = number

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"))

/** Whether ISO 4217 knows the code, in capital letters. */
export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

/** How many decimal places the smallest coin has: 2 for EUR, none for JPY. */
function coinDigits(currency: string): number {
  const known = digitsByCurrency.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
  digitsByCurrency.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}

const digitsByCurrency = new Map<string, number>()

/** What a quantity costs if `per` of it cost `price`, to the nearest coin. Half a coin is rounded up, as on an invoice. */
export function costOf(quantity: number, price: number, per: number, currency: string): Coins {
  const quick = costInNumbers(quantity, price, per, currency)
  if (quick !== null) return quick
  const [a, b] = [exact(quantity), exact(price)]
  const numerator = a.digits * b.digits * 10n ** BigInt(coinDigits(currency))
  const denominator = 10n ** BigInt(a.places + b.places) * BigInt(per)
  return nearest(numerator, denominator)
}

/** A percentage of an amount, to the nearest coin. Half a coin is rounded away from zero. */
export function percentOf(coins: Coins, percent: number): Coins {
  const { digits, places } = exact(percent)
  return Math.sign(coins) * nearest(BigInt(Math.abs(coins)) * digits, 100n * 10n ** BigInt(places))
}

/** How much an amount buys if `per` of it cost `price`, in whole units. Null if the price is 0. */
export function quantityFor(
  coins: Coins,
  price: number,
  per: number,
  currency: string,
  round: "up" | "down",
): number | null {
  const { digits, places } = exact(price)
  if (digits === 0n) return null
  const numerator = BigInt(coins) * BigInt(per) * 10n ** BigInt(places)
  const denominator = digits * 10n ** BigInt(coinDigits(currency))
  return Number(round === "up" ? (numerator + denominator - 1n) / denominator : numerator / denominator)
}

const nearest = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator))

const MILLION = 1_000_000

/** The same five times as fast, if no step needs more digits than a number has. Null otherwise. Pages add up thousands of costs. */
function costInNumbers(quantity: number, price: number, per: number, currency: string): Coins | null {
  const millionths = Math.round(price * MILLION)
  const [numerator, denominator] = [quantity * millionths * 10 ** coinDigits(currency), per * MILLION]
  const isExact = Number.isInteger(quantity) && millionths / MILLION === price
  if (!isExact || 2 * numerator + denominator > Number.MAX_SAFE_INTEGER) return null
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/** The amount as a decimal: "2900.00". */
export function amountOf(coins: Coins, currency: string): string {
  const places = coinDigits(currency)
  const digits = String(Math.abs(coins)).padStart(places + 1, "0")
  const sign = coins < 0 ? "-" : ""
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Why a typed amount can't be paid exactly. */
export function coinProblem(amount: number, currency: string): string | undefined {
  const nearest = amountOf(costOf(1, amount, 1, currency), currency)
  return Number(nearest) === amount ? undefined : `${currency} has no coin for that. The nearest amount is ${nearest}.`
}

/** The sum of numbers as people wrote them: 0.3 and -0.1 are 0.2, and not 0.19999999999999998. Downloads may have fractions. */
export function exactSum(numbers: readonly number[]): number {
  if (numbers.every(Number.isInteger)) return numbers.reduce((sum, number) => sum + number, 0)
  const parts = numbers.map(exact)
  const places = Math.max(...parts.map((part) => part.places))
  const digits = parts.reduce((sum, part) => sum + part.digits * 10n ** BigInt(places - part.places), 0n)
  return Number(`${digits}e-${places}`)
}

/** A number as people wrote it, because a product of binary fractions would be a cent off sooner or later. */
function exact(value: number): { readonly digits: bigint; readonly places: number } {
  const [, whole = "0", fraction = "", exponent = "0"] =
    /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  const digits = BigInt(whole + fraction)
  const places = fraction.length - Number(exponent)
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places }
}
