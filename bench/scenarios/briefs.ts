import { catalogueFormats } from "../../src/domain/adcp/catalogue/built-in/index.ts"
import { getProducts } from "../../src/domain/adcp/tools/get-products.ts"
import { prepareView, type View } from "../../src/domain/adcp/visibility.ts"
import { memoize } from "../../src/domain/memoize.ts"
import { openings, products } from "../briefs/catalogue.ts"
import { heldBack, type Judged, judged, TODAY, working } from "../briefs/judged.ts"
import { ndcg } from "../briefs/ndcg.ts"
import * as phrased from "../briefs/phrasings/phrasings.ts"
import * as sold from "../briefs/sellers/sellers.ts"
import { atMost } from "../harness/goals.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { spreadOf } from "../harness/statistics.ts"

const WORST = 10
const LONGEST = 20_000
const MANY = 400
const ODD = [
  ["want ".repeat(MANY), "banners ".repeat(MANY)],
  ["we prefer ".repeat(MANY), "radio ".repeat(MANY)],
  ["but ".repeat(MANY), "no ".repeat(MANY)],
  ["no? ".repeat(2 * MANY)],
  ["not, ".repeat(2 * MANY)],
  ["in Germany, ".repeat(MANY)],
  ["from Germany ".repeat(MANY)],
  ["radio or ".repeat(MANY)],
  ["without ".repeat(2 * MANY)],
]
// Few at a time, so that some round is not interrupted.
const SOME = 20
const ROUNDS = 200

/** How well briefs are understood, by the judged set in bench/briefs. Nothing of it depends on the machine but the times. */
export const briefs: Scenario = {
  name: "briefs",
  needsNoBuild: true,
  title: "Products found for 149 judged briefs, nDCG@5 (1 is a perfect order)",
  run,
}

type Ranking = (brief: string) => string[]

async function run(): Promise<Outcome> {
  const view = market({ products, openings })
  const now: Ranking = (brief) => {
    const { payload } = getProducts(view, { brief, pagination: { max_results: 100 } })
    const { products: ranked } = JSON.parse(JSON.stringify(payload)) as { products: { product_id: string }[] }
    return ranked.map(({ product_id }) => product_id)
  }
  const halves = { "half to work with": working, "half held back": heldBack }
  const figures = Object.entries(halves).map(([contender, half]) => ({
    contender,
    spread: spreadOf([mean(half, now)]),
  }))
  const { short, long, odd } = readingTimes(view)
  return {
    unit: "nDCG@5",
    figures,
    goals: [
      atMost(100, "µs", short, "a brief read in"),
      atMost(5, "ms", long, `${LONGEST.toLocaleString("en")} characters read in`),
      atMost(10, "ms", odd, "words repeated without end read in"),
    ],
    notes: [
      `The worst of the half to work with:`,
      ...worst(now),
      `Phrasings of what is not wanted, and of prices:`,
      phrasingsNote("half to work with", phrased.working),
      phrasingsNote("half held back", phrased.heldBack),
      `Briefs to invented sellers, written before anything was run with them:`,
      ...(await Promise.all(Object.entries(sold.sets).map(([set, title]) => sellersNote(set as sold.SetName, title)))),
    ],
  }
}

type Sold = Pick<typeof phrased, "products" | "openings">

function market(sold: Sold): View {
  const own = catalogueFormats(new Map())
  return prepareView({
    caller: "bench",
    agentUrl: "https://agent.example/",
    own,
    ...sold,
    now: Date.parse(TODAY) * 1_000,
  })
}

function phrasingsNote(name: string, half: readonly phrased.Phrasing[]): string {
  const view = market(phrased)
  const verdicts = half.map((phrasing) => {
    const { payload } = getProducts(view, { brief: phrasing.brief, pagination: { max_results: 100 } })
    const answer = JSON.parse(JSON.stringify(payload))
    const ids = answer.products.map(({ product_id }: { product_id: string }) => product_id)
    return phrased.judge(phrasing, ids, answer.ext?.adbooth.understood)
  })
  const order = verdicts.reduce((sum, verdict) => sum + verdict.order, 0) / half.length
  const obeyed = verdicts.filter((verdict) => verdict.obeyed).length
  const understood = verdicts.filter((verdict) => verdict.understood).length
  return `- ${name}: nDCG@5 ${order.toFixed(3)}, obeyed ${obeyed} of ${half.length}, amounts read ${understood}`
}

async function sellersNote(set: sold.SetName, title: string): Promise<string> {
  const briefs = await sold.briefsIn(set)
  const verdicts = briefs.map((each) => {
    const { payload } = getProducts(viewOf(each.seller), { brief: each.brief, pagination: { max_results: 100 } })
    const { products, ext, message } = JSON.parse(JSON.stringify(payload)) as Answer
    const { channels = [], countries = [] } = ext?.adbooth.understood ?? {}
    const told = [...channels, ...countries]
    const ids = products.map(({ product_id }) => product_id)
    return { each, told, saysNothing: /^(?:None of|The only) /.test(message), ...sold.judge(each, ids, told) }
  })
  // To a few briefs nothing fits.
  const orders = verdicts.filter(({ each }) => each.grades.size > 0).map((verdict) => verdict.order)
  const order = orders.reduce((sum, each) => sum + each, 0) / orders.length
  const count = (isCounted: (verdict: (typeof verdicts)[number]) => boolean) => verdicts.filter(isCounted).length
  const refusing = verdicts.filter(({ each }) => each.unwanted.size > 0)
  const obeyed = refusing.filter(({ disobeyed }) => disobeyed.length === 0).length
  const parts = [
    `nDCG@5 ${order.toFixed(3)}`,
    `obeyed ${obeyed} of ${refusing.length}`,
    `inverted ${count(({ inverted }) => inverted.length > 0)} of ${briefs.length}`,
  ]
  const judged = verdicts.filter(({ each }) => each.wished !== undefined)
  if (judged.length > 0) {
    const sum = (of: (verdict: (typeof verdicts)[number]) => number) => judged.reduce((all, each) => all + of(each), 0)
    const wished = sum(({ each }) => each.wished?.size ?? 0)
    parts.push(`told ${sum(({ told }) => told.length)} of ${wished} wishes, ${sum(({ wrong }) => wrong.length)} wrong`)
    const said = count(({ each, saysNothing }) => each.isNothing && saysNothing)
    const wrongly = count(({ each, saysNothing }) => !each.isNothing && saysNothing)
    parts.push(`"nothing fits" said ${said} of ${count(({ each }) => each.isNothing)}, ${wrongly} wrongly`)
  }
  return `- ${title}: ${parts.join(", ")}`
}

interface Answer {
  readonly products: readonly { readonly product_id: string }[]
  readonly message: string
  readonly ext?: { readonly adbooth: { readonly understood?: { channels?: string[]; countries?: string[] } } }
}

const viewOf = memoize(Object.keys(sold.sellers).length, (seller: sold.Seller) => {
  const entries = sold.sellers[seller]
  return market({ products: entries.map(({ product }) => product), openings: entries.map(({ opening }) => opening) })
})

function mean(half: readonly Judged[], ranking: Ranking): number {
  return half.reduce((sum, each) => sum + ndcg(ranking(each.brief), each), 0) / half.length
}

function worst(ranking: Ranking): string[] {
  const gains = working.map((each) => ({ brief: each.brief, gain: ndcg(ranking(each.brief), each) }))
  const sorted = gains.toSorted((a, b) => a.gain - b.gain).slice(0, WORST)
  return sorted.map(({ brief, gain }) => `- ${gain.toFixed(2)} ${brief.slice(0, 100)}`)
}

/** Microseconds for a brief of the set, and milliseconds for the longest that is read: the best of several rounds. */
function readingTimes(view: View): Readonly<Record<"short" | "long" | "odd", number>> {
  const search = view.search()
  const all = judged.map(({ brief }) => brief)
  const longest = all
    .join(". ")
    .repeat(4)
    .slice(0, LONGEST - 3)
  const best = (work: (round: number) => void) => {
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      const start = performance.now()
      work(round)
      return performance.now() - start
    })
    return Math.min(...rounds)
  }
  // A number makes each another brief, as the latest one is kept.
  const some = all.slice(0, SOME)
  const short = best((round) => {
    for (const brief of some) search.read(`${brief} ${round}`)
  })
  // Nobody writes so: what looks back or ahead at each word would take long.
  const odd = ODD.map((words) => best((round) => search.read(`${words.join("")} ${round}`)))
  return {
    short: (short * 1000) / some.length,
    long: best((round) => search.read(`${longest} ${round}`)),
    odd: Math.max(...odd),
  }
}
