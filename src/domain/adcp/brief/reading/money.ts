import { memoize } from "../../../memoize.ts"
import { type Language, languages, words } from "../words/languages.ts"
import type { MoneyWords } from "../words/of-language.ts"

// Amounts with an explicit currency, and a word or a place in the text that makes them a budget or a price for a unit:
//
//   "budget 5k EUR", "we have £3,000", "800 € max"     a budget: a word of it in the clause
//   "Podcasts in Kent, 3,000 GBP."                      a budget: alone between two signs
//   "CPM up to 12 EUR", "0,70 € par clic"               the highest price for a unit
//   "at least 500 EUR", "900 € l'envoi", "Prize: 900 €" quoted: the least, a price for a piece, under a label of something else
//   "budget 5,000", "6000 rand"                         quoted: in which money is unclear

export interface Money {
  readonly most: number
  readonly currency: string
}

/** From and to, in a text. */
export type Span = readonly [number, number]

/** An amount of a text, and where it stands. What one without a kind says is unclear. */
export interface Amount {
  readonly span: Span
  readonly money: Money
  /** The most to be spent, or the highest price by pricing model. */
  readonly kind: "budget" | "cpm" | "cpc" | undefined
  /** Whether it is in dollars, of whatever country. */
  readonly isDollars: boolean
}

/** The alternatives of all languages. */
const any = (list: (of: MoneyWords) => string | undefined): string =>
  `(?:${languages.flatMap((language) => list(words[language].money) ?? []).join("|")})`
/** As words of their own. */
const anyWord = (list: (of: MoneyWords) => string | undefined): string => String.raw`(?<!\p{L})${any(list)}(?!\p{L})`

const signs = new Map(
  [
    "EUR: €; CAD: c$, ca$; AUD: a$, au$; NZD: nz$; HKD: hk$; SGD: s$; MXN: mx$; BRL: r$; USD: $, us$, $us, $ us; GBP: £",
    ...languages.map((language) => words[language].money.currencies),
  ]
    .flatMap((rows) => rows.split("; "))
    .flatMap((row) => {
      const [currency = "", names = ""] = row.split(": ")
      return names.split(", ").map((name) => [name, currency] as const)
    }),
)
const namesOfMoney = [...signs.keys()].filter((name) => /^\p{L}[\p{L}\- ]+$/u.test(name))
const anyCase = (name: string) => name.replace(/^\p{L}/u, (first) => `[${first.toUpperCase()}${first}]`)

const SPACES = " \\u00a0\\u202f"
const NUMBER = String.raw`(?:\d{1,3}(?:[.,'’${SPACES}]\d{3}){1,3}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?)(?:,-|\.-|,–)?`
const TIMES = String.raw`(?:[${SPACES}]?(?:k|K|m|M|[Mm]io\.?|${any(({ thousand }) => thousand)}|T(?=EUR|CHF|€))(?![\p{L}\d]|(?<=T)x))?`
const CURRENCY = String.raw`(?:€|(?:US|CA?|AU?|NZ|HK|S|MX|R)\$|\$(?:US(?![\p{L}\d])| US(?=[${SPACES}]*(?:[.,;:!?)]|$)))?|£|(?:TEUR|EUROS?|US-Dollar|${namesOfMoney.map(anyCase).join("|")}|[A-Z]{3}|eur|usd|gbp|chf)(?![\p{L}\d]))`
const TO = `[${SPACES}]?(?:-|–|${any(({ to }) => to)})[${SPACES}]?`
const AMOUNT = new RegExp(
  String.raw`(?<![\d\p{L}.,])(${CURRENCY}[${SPACES}]?)?(?:(${NUMBER})(${TIMES})(${CURRENCY})?${TO})?(€|\$|£)?(${NUMBER})(${TIMES})([${SPACES}]?${CURRENCY})?`,
  "gu",
)
const LEAST_BUDGET = 100
const LEAST_ALONE = 300
// Which one of a list of prices is meant is unclear.
const AMOUNTS_MAX = 20

const whole = (text: string) => new RegExp(String.raw`(?<!\p{L})(?:${text})(?!\p{L})`, "iu")
const units = [
  ["cpm", whole(`e?cpms?|${any(({ cpm }) => cpm)}`)],
  ["cpc", whole(`cpcs?|${any(({ cpc }) => cpc)}`)],
  ["other", whole(`v?cp[avlop]|cpcv|vcpm|${any(({ otherUnit }) => otherUnit)}`)],
] as const

const OTHER_MONEY = new RegExp(String.raw`^\s*${any(({ other }) => other)}(?!\p{L})`, "iu")
const RATE = new RegExp(String.raw`^\s*(?:\/|${any(({ rate }) => rate)})`, "iu")
const LEAST = new RegExp(String.raw`(?<!\p{L})${any(({ least }) => least)}\s*(?:of|von|de|:)?\s*$`, "iu")
const PAST = new RegExp(
  anyWord(({ past }) => past),
  "iu",
)
const EACH = new RegExp(String.raw`(?<!\p{L})${any(({ each }) => each)} (?!favor|lo |menos|debajo|exemple)\p{L}+`, "iu")
const NOT_LEAST = new RegExp(String.raw`${any(({ not }) => not)}\s+(?:\p{L}+\s+)?$`, "iu")
const BUDGET = new RegExp(
  String.raw`${any(({ budgetNouns }) => budgetNouns)}|${anyWord(({ budget }) => budget)}|${anyWord(({ has }) => has)}(?=(?:\s+\S+)?\s*$)`,
  "iu",
)
// Without a currency only what can be nothing but money.
const SAYS_BUDGET = new RegExp(`${any(({ budgetNouns }) => budgetNouns)}|${anyWord(({ spends }) => spends)}`, "iu")
const AFTER_BUDGET = new RegExp(String.raw`^\s*${any(({ afterBudget }) => afterBudget)}`, "iu")
const ALONE = new RegExp(String.raw`^[\s\-–—•*(~≈]*(?:${any(({ about }) => about)}\s*)?$`, "iu")
const AFTER_ALONE = new RegExp(String.raw`^[\s).]*${any(({ afterAlone }) => afterAlone)}?[\s).]*$`, "iu")

/** The amounts of a text. */
export function amountsIn(text: string): Amount[] {
  if (!/\d/.test(text)) return []
  const amounts = [...text.matchAll(AMOUNT)].flatMap((match) => readAmount(match, match.index, text) ?? [])
  return amounts.length > AMOUNTS_MAX ? amounts.map((amount) => ({ ...amount, kind: undefined })) : amounts
}

/** The budget, if there is one, the first price for each unit, and which amounts these are. Dollars are of the United States unless others have them, too. */
export function limitsOf(all: readonly Amount[], countries: readonly string[], language: Language | undefined) {
  const mayBeOthers = language === "fr" || language === "es" || countries.some((code) => dollars.has(code))
  const hasOtherDollars = mayBeOthers && !countries.includes("US")
  const amounts = all.filter(({ isDollars }) => !(isDollars && hasOtherDollars))
  const budgets = amounts.filter(({ kind }) => kind === "budget")
  const [first] = budgets
  const isOne = budgets.every(({ money }) => isSame(money, first?.money))
  const [cpm, cpc] = (["cpm", "cpc"] as const).map((model) => amounts.find(({ kind }) => kind === model))
  return {
    budget: isOne ? first?.money : undefined,
    prices: { ...(cpm && { cpm: cpm.money }), ...(cpc && { cpc: cpc.money }) },
    amounts: [...(isOne ? budgets : []), cpm, cpc],
  }
}

const isSame = (a: Money, b: Money | undefined) => a.most === b?.most && a.currency === b.currency

/** An amount with its currency, and what it is for, if that is said. */
function readAmount(match: RegExpMatchArray, at: number, text: string): Amount | undefined {
  const [whole, sign, least, , middle, secondSign, number = "", times = "", code] = match
  // "CPM 10 USD": what looks like a currency may be none.
  const written = [sign, secondSign, middle, code]
    .map((each) => each?.trim() ?? "")
    .find((each) => isCurrency(currencyOf(each)))
  const currency = currencyOf(written ?? "")
  const wordLength = (text = "") => (isCurrency(currencyOf(text.trim())) ? 0 : text.length)
  const span = [at + wordLength(sign), at + whole.length - wordLength(code)] as const
  const money = { most: numberOf(number) * factorOf(times.trim() + (written === "TEUR" ? "T" : "")), currency }
  const around = aroundOf(text, ...span)
  const unit = unitOf(around)
  const isDollars = /^\$$|^d[oó]l/i.test(written ?? "")
  const amount = { span, money, kind: undefined, isDollars }
  if (written === undefined) return isBare(around, money.most, unit, whole) ? amount : undefined
  const isLeast = least === undefined && LEAST.test(around.before) && !NOT_LEAST.test(around.before.replace(LEAST, ""))
  if (isLeast || !(money.most > 0) || unit === "other") return amount
  return { ...amount, kind: unit ?? (isBudget(around, money.most) ? "budget" : undefined) }
}

/** Without a currency: an amount by the words beside it, or "10k" alone; but no year, no part and no age. */
function isBare(around: Around, most: number, unit: string | undefined, whole: string): boolean {
  if (/^(?:19|20)\d\d$/.test(whole.trim()) || /^(?:\s?%|[-–]?\d)/.test(around.after)) return false
  if (unit !== undefined || OTHER_MONEY.test(around.after)) return true
  const isCounted = /^\s*\p{L}/u.test(around.after) && !AFTER_BUDGET.test(around.after)
  if (most < LEAST_BUDGET || isCounted) return false
  return (
    SAYS_BUDGET.test(around.before) ||
    AFTER_BUDGET.test(around.after) ||
    (/k$/i.test(whole.trim()) && ALONE.test(around.before))
  )
}

const currencyOf = (written: string) => signs.get(written.toLowerCase()) ?? written.toUpperCase()
// Words in capitals are no currencies.
const isCurrency = memoize(
  1_000,
  (code: string) => !/^(?:ALL|TOP|TRY|CUP)$/.test(code) && Intl.supportedValuesOf("currency").includes(code),
)
const dollars = new Set("CA AU NZ MX SG HK AR CL CO".split(" "))

interface Around {
  /** With what is before a colon. */
  readonly all: string
  readonly before: string
  readonly after: string
  /** Whether it stands under a label that names no budget and no price. */
  readonly isLabelled: boolean
}

/** The clause around an amount, before and after it. A point in "max." ends none. */
function aroundOf(text: string, at: number, end: number): Around {
  const clauses = text.slice(Math.max(0, at - 70), at).split(CLAUSE_END)
  const all = clauses.at(-1) ?? ""
  const after = /^(?:[^,;:!?\n(.]|\.(?=\S))*/.exec(text.slice(end, end + 50))?.[0] ?? ""
  // "Budget: 3,000" is one clause; what "Posters: 3,000" is for is said by its label.
  const colon = all.lastIndexOf(":")
  const label = all.slice(0, Math.max(0, colon))
  const isLabelled = colon >= 0 && !BUDGET.test(label) && !units.some(([, names]) => names.test(label))
  return { all, before: isLabelled ? all.slice(colon + 1) : all, after, isLabelled }
}

const CLAUSE_END = /[,;!?\n)]|(?<!max|min|ca|approx|aprox|env|etwa|bzw)\.(?!\S)/i

/** By the few words beside the amount: a price for something else in the clause is not its unit. */
function unitOf({ before, after }: Around): "cpm" | "cpc" | "other" | undefined {
  const near = `${before.trim().split(/\s+/).slice(-7).join(" ")} # ${after.trim().split(/\s+/).slice(0, 4).join(" ")}`
  return units.find(([, names]) => names.test(near))?.[0]
}

function isBudget({ all, before, after, isLabelled }: Around, most: number): boolean {
  if (most < LEAST_BUDGET || RATE.test(after) || EACH.test(all) || PAST.test(before)) return false
  const near = before.trim().split(/\s+/).slice(-6).join(" ")
  if (BUDGET.test(near) || AFTER_BUDGET.test(after)) return true
  return most >= LEAST_ALONE && !isLabelled && ALONE.test(before) && AFTER_ALONE.test(after)
}

function numberOf(text: string): number {
  const plain = text.replace(/[,.][-–]$/, "").replace(/[ \u00a0\u202f'’]/g, "")
  return Number(plain.replace(/[.,](?=\d{3}(?:\D|$))/g, "").replace(",", "."))
}

const factorOf = (times: string) => (times === "" ? 1 : /^(?:m|mio\.?)$/i.test(times) ? 1_000_000 : 1_000)
