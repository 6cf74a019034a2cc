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
}

/** To work with. */
export const working = await briefsIn("working.txt")
/** Put away, to be looked at only when a change is finished. */
export const away = await briefsIn("away.txt")
export const marketWorking = await briefsIn("market-working.txt")
export const marketAway = await briefsIn("market-away.txt")
export const guildWorking = await briefsIn("guild-working.txt")
export const guildAway = await briefsIn("guild-away.txt")
export const harbourWorking = await briefsIn("harbour-working.txt")
export const harbourAway = await briefsIn("harbour-away.txt")
export const meadowWorking = await briefsIn("meadow-working.txt")
export const meadowAway = await briefsIn("meadow-away.txt")
export const quayWorking = await briefsIn("quay-working.txt")
export const quayAway = await briefsIn("quay-away.txt")
export const millWorking = await briefsIn("mill-working.txt")
export const millAway = await briefsIn("mill-away.txt")
export const shoreAway = await briefsIn("shore-away.txt")
export const tideAway = await briefsIn("tide-away.txt")

async function briefsIn(file: string): Promise<SellerBrief[]> {
  const text = await Bun.file(join(import.meta.dir, file)).text()
  return text
    .split("\n\n")
    .filter((block) => !block.startsWith("#"))
    .map((block) => briefOf(block.trim().split("\n")))
}

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
  return {
    seller,
    language,
    brief: brief.replaceAll("\\n", "\n"),
    grades: new Map(grades.split(" | ").flatMap((part) => gradesOf(part))),
    unwanted: new Set(unwanted),
    facts: facts && Object.fromEntries(facts),
  }
}

function gradesOf(part: string): [string, number][] {
  const [grade, ...ids] = part.split(" ")
  return ids.map((id) => [id, Number(grade)])
}

const PLACES = 5

/** How well an order does by a brief: nDCG@5, what is unwanted among the first five, and what was asked for but came last. */
export function judge(brief: SellerBrief, ids: readonly string[]) {
  const others = ids.length - brief.unwanted.size
  return {
    order: ndcg(ids, brief),
    disobeyed: ids.slice(0, Math.min(PLACES, others)).filter((id) => brief.unwanted.has(id)),
    inverted: ids.slice(ids.length >> 1).filter((id) => brief.grades.get(id) === 3),
  }
}
