// Amounts with an explicit currency, and a word or a place in the text that makes them a budget or a price for a unit. All other amounts are
// quoted.

import { memoize } from "../../../memoize.ts"

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

const SPACES = " \\u00a0\\u202f"
const NUMBER = String.raw`(?:\d{1,3}(?:[.,'’${SPACES}]\d{3}){1,3}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?)(?:,-|\.-|,–)?`
const TIMES = String.raw`(?:[${SPACES}]?(?:k|K|m|M|Mio\.?|mio\.?|mil|Tsd\.?|tsd\.?|tausend|Tausend|thousand|mille|T(?=EUR|CHF|€))(?![\p{L}\d]|(?<=T)x))?`
const CURRENCY = String.raw`(?:€|(?:US|CA?|AU?|NZ|HK|S|MX|R)\$|\$(?:US(?![\p{L}\d])| US(?=[${SPACES}]*(?:[.,;:!?)]|$)))?|£|(?:TEUR|[A-Z]{3}|eur|usd|gbp|chf|[Ee]uros?|EUROS?|US-Dollar|[Dd]ollars?|[Dd][oó]lares|[Pp]ounds?|Pfund|livres|libras|Franken|francs suisses|francos suizos)(?![\p{L}\d]))`
const TO = `[${SPACES}]?(?:-|–|to|bis|and|und|à|a|et|y)[${SPACES}]?`
const AMOUNT = new RegExp(
  String.raw`(?<![\d\p{L}.,])(${CURRENCY}[${SPACES}]?)?(?:(${NUMBER})(${TIMES})(${CURRENCY})?${TO})?(€|\$|£)?(${NUMBER})(${TIMES})([${SPACES}]?${CURRENCY})?`,
  "gu",
)
const LEAST_BUDGET = 100
const LEAST_ALONE = 300
// Which one of a list of prices is meant is unclear.
const AMOUNTS_MAX = 20

const signs = new Map(
  [
    "EUR: €, euro, euros, teur",
    "CAD: c$, ca$",
    "AUD: a$, au$",
    "NZD: nz$",
    "HKD: hk$",
    "SGD: s$",
    "MXN: mx$",
    "BRL: r$",
    "USD: $, us$, $us, $ us, dollar, dollars, us-dollar, dolares, dólares",
    "GBP: £, pound, pounds, pfund, livres, libras",
    "CHF: franken, francs suisses, francos suizos",
  ].flatMap((row) => {
    const [currency = "", names = ""] = row.split(": ")
    return names.split(", ").map((name) => [name, currency] as const)
  }),
)

const units = [
  [
    "cpm",
    /(?<!\p{L})(?:e?cpms?|tkp|tausend-?kontakt-?preis|per (?:thousand|mille|1[.,]?000)|pro tausend|co[uû]t pour mille|coste por mil)(?!\p{L})/iu,
  ],
  ["cpc", /(?<!\p{L})(?:cpcs?|klickpreis|per click|pro klick|(?:co[uû]t )?par clic|au clic|por clic)(?!\p{L})/iu],
  ["other", /(?<!\p{L})(?:v?cp[avlop]|cpcv|vcpm|per (?:lead|sale|view|install|order))(?!\p{L})/iu],
] as const

/** After an amount: money that is not read. */
const OTHER_MONEY =
  /^\s*(?:rand|dirhams?|pesos?|kron(?:or|er|en|a)|couronnes|coronas|z[lł]ot\p{L}+|reais|yen|rupees?|lei|forint|lira)(?!\p{L})/iu
/** After an amount: a price for a time or a piece, no budget. */
const RATE =
  /^\s*(?:\/|netto\/|(?:per|pro|par|por|je|each|apiece|daily|weekly|monthly|täglich|monatlich|wöchentlich)(?!\p{L})(?! favor)|an? (?:day|week|month|issue|episode|piece|year|pop)|(?:the|le|la|l['’]|al|à la|im|am|die|der|das) ?(?:day|week|month|semaine|mois|jour|envoi|numéro|mes|d[ií]a|semana|año|monat|tag|woche|stück|pièce|unité|unidad))/iu
/** Before an amount: it is the least. */
const LEAST =
  /(?<!\p{L})(?:at least|minimum|min\.?|mindestens|mind\.?|ab|from|over|more than|above|mehr als|über|au moins|plus de|à partir de|dès|al menos|como mínimo|m[aá]s de|desde|a partir de|(?:floor(?: price)?|plancher|suelo)(?: around| autour)?|worth|costs?|kostet|coûte|cuesta)\s*(?:of|von|de|:)?\s*$/iu
/** Before it: what was. */
const PAST = /(?<!\p{L})(?:was|were|spent|war|waren|était|avait|era|fue)(?!\p{L})/iu
/** Before it: a price for each of something. */
const EACH =
  /(?<!\p{L})(?:per|pro|par|por|je|each|every|cada|chaque|jede[nrs]?) (?!favor|lo |menos|debajo|exemple)\p{L}+/iu
const NOT_LEAST = /(?:not?|nicht|nichts|nothing|pas|kein|keine|nada)\s+(?:\p{L}+\s+)?$/iu
const BUDGET =
  /budget|etat|presupuesto|enveloppe|(?<!\p{L})(?:spend|spending|invest(?:ieren|ir)?|invertir|gastar|dépenser|ausgeben|disponemos|disposons|haben|hätten|have|got|avons|tenemos|up to|max|maximum|maximal|máx|máximo|at most|tops|cap|capped|under|below|less than|no more than|not more than|nothing over|nothing above|bis zu|bis|unter|höchstens|maximal|weniger als|nicht mehr als|jusqu|moins de|pas plus de|au plus|maxi|hasta|como mucho|como máximo|menos de|no más de|total|all in|insgesamt|in all|au total|en total)(?!\p{L})/iu
// Without a currency only what can be nothing but money.
const SAYS_BUDGET =
  /budget|etat(?!s)|presupuesto|enveloppe|(?<!\p{L})(?:spend|invest(?:ieren|ir)?|invertir|gastar|dépenser|ausgeben)(?!\p{L})/iu
const AFTER_BUDGET =
  /^\s*(?:budget|max|maximum|tops|at most|or less|höchstens|au plus|au maximum|etat|total|in total|all in|maxi|como máximo|como mucho|de presupuesto|insgesamt|gesamt|available|pas plus|nicht mehr|no more|y no más|to spend|zur verfügung|stehen|disponibles?|à dépenser|de budget|(?:is|as) (?:the|our) (?:limit|max|most|ceiling))/iu
const ALONE =
  /^[\s\-–—•*(~≈]*(?:(?:about|around|approx\.?|circa|ca\.?|etwa|rund|ungefähr|environ|unos|aprox\.?|some|roughly|max\.?|between|zwischen|entre)\s*)?$/iu
const AFTER_ALONE =
  /^[\s).]*(?:net|netto|ht|brutto|gross|sin iva|zzgl\.? mwst\.?|all in|please|bitte|(?:for|für|pour|por|para) (?!each|every|jede|chaque|cada|an? (?!month|week|quarter|year)).*)?[\s).]*$/iu

/** The amounts of a text. */
export function amountsIn(text: string): Amount[] {
  if (!/\d/.test(text)) return []
  const amounts = [...text.matchAll(AMOUNT)].flatMap((match) => readAmount(match, match.index, text) ?? [])
  return amounts.length > AMOUNTS_MAX ? amounts.map((amount) => ({ ...amount, kind: undefined })) : amounts
}

/** The budget, if there is one, the first price for each unit, and which amounts these are. Dollars are of the United States unless others have them, too. */
export function limitsOf(all: readonly Amount[], countries: readonly string[]) {
  const hasOtherDollars = countries.some((code) => dollars.has(code)) && !countries.includes("US")
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
}

/** The clause around an amount, before and after it. A point in "max." ends none. */
function aroundOf(text: string, at: number, end: number): Around {
  const clauses = text.slice(Math.max(0, at - 70), at).split(CLAUSE_END)
  const all = clauses.at(-1) ?? ""
  const after = /^(?:[^,;:!?\n(.]|\.(?=\S))*/.exec(text.slice(end, end + 50))?.[0] ?? ""
  // "Budget: 3,000" is one clause, "Posters: 3,000" is an amount alone.
  const colon = all.lastIndexOf(":")
  const isNamed =
    colon < 0 || BUDGET.test(all.slice(0, colon)) || units.some(([, words]) => words.test(all.slice(0, colon)))
  return { all, before: isNamed ? all : all.slice(colon + 1), after }
}

const CLAUSE_END = /[,;!?\n)]|(?<!max|min|ca|approx|aprox|env|etwa|bzw)\.(?!\S)/i

/** By the few words beside the amount: a price for something else in the clause is not its unit. */
function unitOf({ before, after }: Around): "cpm" | "cpc" | "other" | undefined {
  const near = `${before.trim().split(/\s+/).slice(-7).join(" ")} # ${after.trim().split(/\s+/).slice(0, 4).join(" ")}`
  return units.find(([, words]) => words.test(near))?.[0]
}

function isBudget({ all, before, after }: Around, most: number): boolean {
  if (most < LEAST_BUDGET || RATE.test(after) || EACH.test(all) || PAST.test(before)) return false
  const near = before.trim().split(/\s+/).slice(-6).join(" ")
  if (BUDGET.test(near) || AFTER_BUDGET.test(after)) return true
  return most >= LEAST_ALONE && ALONE.test(before) && AFTER_ALONE.test(after)
}

function numberOf(text: string): number {
  const plain = text.replace(/[,.][-–]$/, "").replace(/[ \u00a0\u202f'’]/g, "")
  return Number(plain.replace(/[.,](?=\d{3}(?:\D|$))/g, "").replace(",", "."))
}

const factorOf = (times: string) => (times === "" ? 1 : /^(?:m|mio\.?)$/i.test(times) ? 1_000_000 : 1_000)
