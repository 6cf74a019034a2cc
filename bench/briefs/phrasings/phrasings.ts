import { join } from "node:path"
import type { Product } from "../../../src/domain/adcp/schema/product/product.ts"
import { readCatalogue } from "../catalogue.ts"
import { ndcg } from "../ndcg.ts"

// What buyers do not want, and the most they pay: one line a phrasing, graded by what it means, not by what is read in it.

const entries = await readCatalogue("phrasings/catalogue.txt")
export const products = entries.map(({ product }) => product)
export const openings = entries.map(({ opening }) => opening)

interface Amount {
  readonly max: number
  readonly currency: string | undefined
}

interface Meaning {
  /** Channels, countries and topics; each wish is met by one of its alternatives. */
  readonly wishes: readonly (readonly string[])[]
  readonly unwanted: readonly string[]
  readonly budget?: Amount
  readonly cpm?: Amount
  readonly cpc?: Amount
}

export interface Phrasing {
  readonly language: string
  readonly brief: string
  readonly meaning: Meaning
  readonly grades: ReadonlyMap<string, number>
  readonly excluded: ReadonlySet<string>
}

const groups: Readonly<Record<string, string>> = {
  audio: "podcast/streaming_audio/radio",
  tv: "ctv/linear_tv",
  outdoor: "dooh/ooh",
}

function meaningOf(text: string): Meaning {
  const meaning: Record<string, unknown> & { wishes: string[][]; unwanted: string[] } = { wishes: [], unwanted: [] }
  for (const part of text.trim().split(" ")) {
    const [, name = "", max, currency] = /^(budget|cpm|cpc)<([\d.]+)(\w*)$/.exec(part) ?? []
    // Dates are not read.
    if (part.startsWith("when=")) continue
    if (max !== undefined) meaning[name] = { max: Number(max), currency: currency || undefined }
    else if (part.startsWith("-")) meaning.unwanted.push(...(groups[part.slice(1)] ?? part.slice(1)).split("/"))
    else meaning.wishes.push((groups[part] ?? part).split("/"))
  }
  return meaning
}

type Entry = (typeof entries)[number]
type Option = Product["pricing_options"][number] & { floor_price?: number }

const priceOf = ({ fixed_price, floor_price }: Option) => fixed_price ?? floor_price ?? 0
const isIn = ({ currency }: Option, asked: Amount) => asked.currency === undefined || asked.currency === currency

function has({ product, opening, about }: Entry, name: string): boolean {
  if (name.startsWith("#")) return about.includes(name.slice(1))
  return /^[A-Z]/.test(name)
    ? opening.territories.some((code) => code === name || code === "*")
    : (product.channels ?? []).some((channel) => channel === name)
}

function isUnwanted(entry: Entry, { unwanted, cpm, cpc }: Meaning): boolean {
  const countries = unwanted.filter((name) => /^[A-Z]/.test(name))
  return (
    unwanted.some((name) => !countries.includes(name) && has(entry, name)) ||
    entry.opening.territories.every((code) => countries.includes(code)) ||
    isTooDear(entry, "cpm", cpm) ||
    isTooDear(entry, "cpc", cpc)
  )
}

function isTooDear({ product }: Entry, model: string, asked: Amount | undefined): boolean {
  if (asked === undefined) return false
  const priced = product.pricing_options.filter((option) => option.pricing_model === model && isIn(option, asked))
  return priced.length > 0 && priced.every((option) => priceOf(option) > asked.max)
}

function isPriced({ product }: Entry, model: string, asked: Amount): boolean {
  return product.pricing_options.some(
    (option) => option.pricing_model === model && isIn(option, asked) && priceOf(option) <= asked.max,
  )
}

function leastSpend(option: Option): number {
  const whole = ["flat_rate", "time"].includes(option.pricing_model) ? priceOf(option) : 0
  return Math.max(whole, option.min_spend_per_package ?? 0)
}

/** 3 for what meets every wish, 2 and 1 for what misses one of several; 0 for the rest and for what is not wanted. */
function gradeOf(entry: Entry, meaning: Meaning): number {
  if (isUnwanted(entry, meaning)) return 0
  const { wishes, budget, cpm, cpc } = meaning
  const met = wishes.map((names) => names.some((name) => has(entry, name)))
  if (cpm !== undefined) met.push(isPriced(entry, "cpm", cpm))
  if (cpc !== undefined) met.push(isPriced(entry, "cpc", cpc))
  if (budget !== undefined) {
    met.push(entry.product.pricing_options.some((option) => isIn(option, budget) && leastSpend(option) <= budget.max))
  }
  const missed = met.filter((isMet) => !isMet).length
  if (missed > 1 || (missed === 1 && met.length === 1)) return 0
  return 3 - missed * (met.length > 2 ? 1 : 2)
}

function phrasingOf(line: string): Phrasing {
  const [language = "", brief = "", meant = ""] = line.split(" | ")
  const meaning = meaningOf(meant)
  const graded = entries.map((entry) => [entry.product.product_id, gradeOf(entry, meaning)] as const)
  const excluded = entries.filter((entry) => isUnwanted(entry, meaning)).map(({ product }) => product.product_id)
  return { language, brief, meaning, grades: new Map(graded), excluded: new Set(excluded) }
}

const text = await Bun.file(join(import.meta.dir, "phrasings.txt")).text()

export const phrasings: readonly Phrasing[] = text
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map(phrasingOf)

/** To work with, and to be looked at only when a change is finished. */
export const working = phrasings.filter((_, place) => place % 2 === 0)
export const heldBack = phrasings.filter((_, place) => place % 2 === 1)

type Json = Record<string, unknown>

export interface Verdict {
  readonly order: number
  /** Whether nothing that the buyer does not want is among the first five, as long as there is something else. */
  readonly obeyed: boolean
  /** Whether budget and prices were read as they are meant. */
  readonly understood: boolean
}

const PLACES = 5

/** How an answer, its products in order and what was understood, does justice to a phrasing. */
export function judge(phrasing: Phrasing, ids: readonly string[], understood: Json = {}): Verdict {
  const { meaning, excluded } = phrasing
  const others = ids.length - excluded.size
  return {
    order: ndcg(ids, phrasing),
    obeyed: !ids.slice(0, Math.min(PLACES, others)).some((id) => excluded.has(id)),
    understood:
      isAmount(understood["budget"], meaning.budget) &&
      isAmount((understood["price_max"] as Json | undefined)?.["cpm"], meaning.cpm) &&
      isAmount((understood["price_max"] as Json | undefined)?.["cpc"], meaning.cpc),
  }
}

function isAmount(read: unknown, meant: Amount | undefined): boolean {
  const { amount, currency } = (read ?? {}) as { amount?: number; currency?: string }
  return amount === meant?.max && (meant?.currency === undefined || currency === meant.currency)
}
