import { join } from "node:path"
import { readCatalogue } from "../catalogue.ts"
import { ndcg } from "../ndcg.ts"

// Invented sellers, and briefs that were written from their products alone, before anything was run with them.

export const sellers = {
  alba: await readCatalogue("sellers/alba.txt"),
  faro: await readCatalogue("sellers/faro.txt"),
  /** Six of them on one box. */
  market: await readCatalogue("sellers/market.txt"),
  /** Five small ones of odd subjects. */
  guild: await readCatalogue("sellers/guild.txt"),
  /** Four small houses. */
  harbour: await readCatalogue("sellers/harbour.txt"),
  /** Six small houses, two of them in languages that are only searched. */
  meadow: await readCatalogue("sellers/meadow.txt"),
  /** Six sellers with plain rate cards. */
  quay: await readCatalogue("sellers/quay.txt"),
  /** Eight small sellers, with many refusals and traps in the briefs. */
  mill: await readCatalogue("sellers/mill.txt"),
  /** Eight small sellers, with requests of machines, planners and small advertisers. */
  shore: await readCatalogue("sellers/shore.txt"),
  /** Nine small sellers of fifteen countries, with many refusals, traps and briefs that nothing fits. */
  tide: await readCatalogue("sellers/tide.txt"),
  /** Nine small sellers of eighteen countries, likewise. */
  lark: await readCatalogue("sellers/lark.txt"),
}
export type Seller = keyof typeof sellers

export interface SellerBrief {
  readonly seller: Seller
  readonly language: string
  readonly brief: string
  readonly grades: ReadonlyMap<string, number>
  /** Ids of what the buyer does not want. */
  readonly unwanted: ReadonlySet<string>
  /** Undefined where nothing was noted. */
  readonly facts: Readonly<Record<string, string>> | undefined
  /** Channels and countries that are surely wished for, and whether nothing fits; undefined where nothing was noted. */
  readonly wished: ReadonlySet<string> | undefined
  readonly isNothing: boolean
}

/** Which file has which briefs. Those put away are to be looked at only when a change is finished. */
export const sets = {
  working: "two sellers, to work with",
  away: "two sellers, put away",
  "market-working": "six sellers, to work with",
  "market-away": "six sellers, put away",
  "guild-working": "odd subjects, to work with",
  "guild-away": "odd subjects, put away",
  "harbour-working": "four small houses, to work with",
  "harbour-away": "four small houses, put away",
  "meadow-working": "six small houses, to work with",
  "meadow-away": "six small houses, put away",
  "quay-working": "six plain rate cards, to work with",
  "quay-away": "six plain rate cards, put away",
  "mill-working": "eight sellers and many refusals, to work with",
  "mill-away": "eight sellers and many refusals, put away",
  "shore-away": "machines, planners and small advertisers",
  "tide-working": "nine sellers of fifteen countries, to work with",
  "tide-away": "nine sellers of fifteen countries",
  "lark-working": "nine sellers of eighteen countries, to work with",
  "lark-away": "nine sellers of eighteen countries",
} as const
export type SetName = keyof typeof sets

export async function briefsIn(set: SetName): Promise<SellerBrief[]> {
  const text = await Bun.file(join(import.meta.dir, `${set}.txt`)).text()
  return text
    .split("\n\n")
    .filter((block) => !block.startsWith("#"))
    .map((block) => briefOf(block.trim().split("\n")))
}

// Of these it was noted what is wished for.
const WITH_WISHES = /^(?:tide|lark) /

function briefOf([kind = "", brief = "", grades = "", ...rest]: readonly string[]): SellerBrief {
  const [seller = "alba", language = ""] = kind.split(" ") as [Seller, string]
  const named = (start: string) =>
    rest
      .find((line) => line.startsWith(start))
      ?.slice(start.length)
      .trim()
  const refused = new Set(named("no:")?.split(" "))
  const unwanted = sellers[seller].flatMap(({ product: { product_id, channels = [] } }) =>
    refused.has(product_id) || channels.some((channel) => refused.has(channel)) ? [product_id] : [],
  )
  const facts = named("is:")
    ?.split(" ")
    .filter(Boolean)
    .map((fact) => fact.split("=") as [string, string])
  const wished = [named("channels:"), named("countries:")]
  return {
    seller,
    language,
    brief: brief.replaceAll("\\n", "\n"),
    grades: new Map(grades.split(" | ").flatMap((part) => gradesOf(part))),
    unwanted: new Set(unwanted),
    facts: facts && Object.fromEntries(facts),
    // "IE (city)": told by a city alone.
    wished: WITH_WISHES.test(kind)
      ? new Set(wished.flatMap((names) => names?.match(/(?<!\()\b\w+/g) ?? []))
      : undefined,
    isNothing: named("nothing:") !== undefined,
  }
}

function gradesOf(part: string): [string, number][] {
  const [grade, ...ids] = part.split(" ")
  return ids.map((id) => [id, Number(grade)])
}

const PLACES = 5

/**
 * How well an order does by a brief: nDCG@5, what is unwanted among the first five, and what was asked for but came last; and what is told as
 * understood although nobody wishes for it.
 */
export function judge(brief: SellerBrief, ids: readonly string[], told: readonly string[] = []) {
  const others = ids.length - brief.unwanted.size
  return {
    wrong: told.filter((name) => brief.wished?.has(name) === false),
    order: ndcg(ids, brief),
    disobeyed: ids.slice(0, Math.min(PLACES, others)).filter((id) => brief.unwanted.has(id)),
    inverted: ids.slice(ids.length >> 1).filter((id) => brief.grades.get(id) === 3),
  }
}
