import { expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { openings, products } from "../../../../bench/briefs/catalogue.ts"
import { judged, working } from "../../../../bench/briefs/judged.ts"
import { ndcg } from "../../../../bench/briefs/ndcg.ts"
import * as phrased from "../../../../bench/briefs/phrasings/phrasings.ts"
import { tokenize } from "../../../../src/domain/adcp/brief/words/tokenize.ts"
import { checkProduct } from "../../../../src/domain/adcp/catalogue/check.ts"
import { essenceOfCall } from "../../../../src/domain/adcp/tools/get-products.ts"
import { ask, givenView, idsIn, own } from "../given.ts"
import type { Json } from "../schema/answers.ts"

setDefaultTimeout(120_000)

const territories = Object.fromEntries(openings.map(({ productId, territories: codes }) => [productId, [...codes]]))
const market = () => givenView([...products], territories)
const view = market()
const all = { pagination: { max_results: 100 } }

// Texts of everything that a brief may be made of, and of what nobody would write.
const words = judged.flatMap(({ brief }) => brief.split(" "))
const numbers = fc.oneof(
  fc.nat().map(String),
  fc.double().map(String),
  fc.constantFrom("1.000.000,00", "1'000", "٣٠٠", "1e9", "0x10"),
)
const signs = fc.constantFrom(
  "€",
  "$",
  ":",
  "-",
  "–",
  "x",
  "k",
  "%",
  '"',
  "\n",
  "\u0000",
  "kr",
  "to",
  "between",
  "no",
  "CPM",
  "2027",
)
const brief = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(fc.oneof(fc.constantFrom(...words), numbers, signs, fc.string({ unit: "grapheme", maxLength: 12 })), {
      maxLength: 60,
    })
    .map((parts) => parts.join(" ")),
  fc.array(fc.oneof(numbers, signs), { maxLength: 60 }).map((parts) => parts.join("")),
)

test("the judged products are valid, and every grade is of one of them", () => {
  expect(products.flatMap((product) => checkProduct(product, own))).toEqual([])
  const ids = new Set(products.map(({ product_id }) => product_id))
  expect(judged.flatMap(({ grades }) => [...grades.keys()]).filter((id) => !ids.has(id))).toEqual([])
  expect(products.length).toBeGreaterThanOrEqual(60)
  expect(judged.length).toBeGreaterThanOrEqual(120)
  expect(phrased.products.flatMap((product) => checkProduct(product, own))).toEqual([])
  expect(phrased.phrasings).toHaveLength(200)
  const unanswerable = phrased.phrasings.filter(({ grades }) => ![...grades.values()].includes(3))
  expect(unanswerable.map(({ brief }) => brief)).toEqual([])
})

test("the briefs of the working half find what a buyer would want", () => {
  const gains = working.map((each) => ndcg(idsIn(ask(view, { brief: each.brief, ...all })), each))
  expect(gains.reduce((sum, gain) => sum + gain, 0) / gains.length).toBeGreaterThan(0.95)
})

test("no brief fails or hides a product, and the same brief gets the same answer", () => {
  const everything = idsIn(ask(view, { buying_mode: "wholesale", ...all })).sort()
  const other = market()
  fc.assert(
    fc.property(brief, (text) => {
      const answer = ask(view, { brief: text, ...all })
      expect(idsIn(answer).sort()).toEqual(everything)
      expect(ask(other, { brief: text, ...all })).toEqual(answer)
    }),
    { numRuns: 60, seed: 15 },
  )
})

test("briefs that say the same, in whatever words, have the same essence and the same pages", () => {
  // Few words, so that many briefs say the same.
  const few = "podcast podcasts Podcast please for the in Germany German 7 42 running runners no 500 EUR shoes".split(
    " ",
  )
  const answers = new Map<string, { text: string; pages: Json[] }>()
  let alike = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...few, ".", ","), { maxLength: 5 }), (parts) => {
      const text = parts.join(" ")
      const essence = essenceOfCall(view, { brief: text })
      const before = answers.get(essence ?? "")
      const first = ask(view, { brief: text, pagination: { max_results: 5 } })
      const { cursor } = before?.pages[0]?.pagination ?? first.pagination
      const pages = [first, ask(view, { brief: text, pagination: { max_results: 5, cursor } })]
      if (before === undefined) answers.set(essence ?? "", { text, pages })
      else {
        expect(pages).toEqual(before.pages)
        if (before.text !== text) alike++
      }
    }),
    { numRuns: 250, seed: 16 },
  )
  expect(alike).toBeGreaterThan(20)
  expect(answers.size).toBeGreaterThan(30)
})

test("a brief of the largest length is read like any other", () => {
  const everything = idsIn(ask(view, { buying_mode: "wholesale", ...all }))
  for (const unit of ["1 ", "$1k-", "a", "podcast ", "new york ", "no ", "May ", "30 sec ", "\u0301", "qzxvw "]) {
    expect(ask(view, { brief: unit.repeat(1_000_000 / unit.length), ...all }).products).toHaveLength(everything.length)
  }
})

const countryName = new Intl.DisplayNames("en", { type: "region" })

/** What a reason says that the product, as it was answered, does not say itself. */
function unfounded(reason: string, { ext, pricing_options: options, ...rest }: Json): string[] {
  const codes: string[] = ext.adbooth.territories
  const names = codes.map((code) => (code === "*" ? "" : (countryName.of(code) ?? "")))
  const opened = [...reason.matchAll(/(?<!not )open in ([^;]*)/gi)]
    .filter(([, places = ""]) => !names.some((name) => places.includes(name)))
    .map(([text]) => text)
  const costs = [...reason.matchAll(/(?:minimum spend|flat price) ([\d,.]+) (\w+)/gi)]
    .filter(([, amount = "", currency]) => {
      const value = Number(amount.replaceAll(",", ""))
      return !options.some(
        (o: Json) => o.currency === currency && [o.min_spend_per_package, o.fixed_price].includes(value),
      )
    })
    .map(([text]) => text)
  const stems = new Set(tokenize(JSON.stringify(rest).replaceAll("_", " ")).map(({ stem }) => stem))
  // A list ends with "and"; its words have no spaces.
  const list = /mentions ((?:[^\s,;]+, )*[^\s,;]+ and [^\s,;.]+|[^\s,;.]+)/i.exec(reason)?.[1] ?? ""
  const words = tokenize(list).filter(({ word, isNumber }) => !isNumber && word !== "and" && word !== "more")
  return [...opened, ...costs, ...words.filter(({ stem }) => !stems.has(stem)).map(({ raw }) => raw)]
}

test("each reason refers to a fact that the caller sees, filtered prices included", () => {
  const filters = fc.constantFrom(
    {},
    { filters: { is_fixed_price: true } },
    { filters: { pricing_currencies: ["EUR"] } },
  )
  const market2 = givenView(
    products.map((product) => ({
      ...product,
      pricing_options: [
        ...product.pricing_options,
        {
          pricing_option_id: "other",
          pricing_model: "cpm",
          currency: "USD",
          floor_price: 3,
          min_spend_per_package: 77,
        },
      ],
    })),
    territories,
  )
  fc.assert(
    fc.property(fc.constantFrom(...judged), filters, ({ brief: text }, filter) => {
      for (const product of ask(market2, { brief: text, ...filter, ...all }).products) {
        const { brief_relevance: reason = "", ...facts } = product
        expect([reason, unfounded(reason, facts)]).toEqual([reason, []])
      }
    }),
    { numRuns: 40, seed: 15 },
  )
})
