import { expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { openings, products } from "../../../../bench/briefs/catalogue.ts"
import { judged, working } from "../../../../bench/briefs/judged.ts"
import { ndcg } from "../../../../bench/briefs/ndcg.ts"
import * as phrased from "../../../../bench/briefs/phrasings/phrasings.ts"
import { checkProduct } from "../../../../src/domain/adcp/catalogue/check.ts"
import { essenceOfCall } from "../../../../src/domain/adcp/tools/get-products.ts"
import { ask, givenProduct, givenView, idsIn, own } from "../given.ts"
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

const languages = ["en", "de", "fr", "es", "nl", "sv", "da", "nb", "fi"]
const allCodes = "DE AT CH FR BE ES GB IE US CA SE NO DK FI NL IT MX".split(" ")
const channelClaims: Record<string, RegExp> = {
  podcast: /It is a podcast/,
  radio: /It is radio/,
  email: /It is an email newsletter/,
  display: /It is display advertising/,
  ctv: /It is connected TV/,
  olv: /It is online video/,
  dooh: /It is digital out-of-home/,
}
// What each placement must rest on, said anew here.
const placements: Record<string, RegExp> = {
  "host-read":
    /host[-_ ]read|hosts? reads?|host (?:mention|endorse|sponsor|ad|spot)|hosts (?:talk|speak)|baked[- ]in|moderator liest|vom moderator|presentador|animateur|voorgelezen|uppläst|værtslæst|vertslest|read by the host/i,
  "pre-roll": /pr[eé][-_ ]?roll/i,
  "mid-roll": /mid[-_ ]?roll/i,
  "post-roll": /post[-_ ]?roll/i,
  mobile: /mobil|mobile/i,
}

/** What a reason says that the product, as it was answered, does not say itself; in any language what is quoted, in English all of it. */
function unfounded(reason: string, { ext, pricing_options: options, ...rest }: Json, brief: string): string[] {
  const codes: string[] = ext.adbooth.territories
  const text = JSON.stringify(rest).replaceAll("_", " ").toLowerCase()
  const quoted = [...reason.matchAll(/[“„«”]\s?([^“”„»«]+?)\s?[”“»]/g)].map(([, word = ""]) => word)
  const invented = quoted.filter((word) => !text.includes(word.toLowerCase()))
  return [
    ...invented,
    ...unfoundedPlaces(reason, codes),
    ...unfoundedCosts(reason, options, brief),
    ...unfoundedKinds(reason, rest),
  ]
}

function unfoundedPlaces(reason: string, codes: readonly string[]): string[] {
  const isOpen = (code: string) => codes.includes("*") || codes.includes(code)
  const names = new Intl.DisplayNames("en", { type: "region" })
  const claims = [
    [
      /(?<!not )available in ((?:(?!\. |, is |, mentions | and (?:is|mentions|costs|offers|takes|has|guarantees|does)\b).)*)/,
      false,
    ],
    [/not available in ((?:(?!\. |, | and (?:is|costs|mentions)\b).)*)/, true],
  ] as const
  return claims.flatMap(([claim, isDenied]) => {
    const places = claim.exec(reason)?.[1] ?? ""
    return allCodes.filter((code) => places.includes(names.of(code) ?? "") && isOpen(code) === isDenied)
  })
}

/** Each amount is one of the product's, or one of the brief. */
function unfoundedCosts(reason: string, options: Json[], brief: string): string[] {
  const unit = (o: Json) => o.fixed_price ?? o.floor_price ?? 0
  const own = options.flatMap((o) => [unit(o), o.min_spend_per_package, unit(o) * (o.parameters?.min_duration ?? 1)])
  const asked = brief.replaceAll(/[.,'  ](?=\d{3})/g, "")
  const amounts = [...reason.matchAll(/(\d[\d.,'’\s\u00a0\u202f]*) [A-Z]{3}\b/g)].map(([, amount = ""]) =>
    amount.trim(),
  )
  return amounts.filter((amount) => {
    const isOwn = languages.some((language) =>
      own.some((value) => value?.toLocaleString(language, { maximumFractionDigits: 3 }) === amount),
    )
    const plain = amount.replaceAll(/[.,'’\s\u00a0\u202f](?=\d{3})/g, "").replace(",", ".")
    return (
      !isOwn &&
      !asked.replaceAll(",", ".").includes(plain) &&
      !/\dk|Mio|tausend|mille|mil\b|tusen|thousand|tkr|cent/i.test(brief)
    )
  })
}

function unfoundedKinds(reason: string, product: Json): string[] {
  const { channels = [], delivery_type, expires_at } = product
  const text = JSON.stringify(product)
  const offered = /offers ([^.(]*)/.exec(reason)?.[1] ?? ""
  return [
    ...Object.keys(channelClaims).filter(
      (channel) => channelClaims[channel]?.test(reason) && !channels.includes(channel),
    ),
    ...Object.keys(placements).filter((name) => offered.includes(name) && !placements[name]?.test(text)),
    ...(/guarantees delivery/.test(reason) && delivery_type !== "guaranteed" ? ["guarantees"] : []),
    ...(/does not guarantee/.test(reason) && delivery_type === "guaranteed" ? ["does not guarantee"] : []),
    ...(/offered only until/.test(reason) && expires_at === undefined ? ["until"] : []),
    ...(/no minimum spend/.test(reason) && product["pricing_options"]?.every((o: Json) => o.min_spend_per_package > 0)
      ? ["no minimum"]
      : []),
  ]
}

// Words that mislead: what sells spots, where and when is not what they are about.
const sayings = fc.constantFrom(
  "Run of station, at any hour.",
  "Digital out of home in stations.",
  "Holiday season gift guide.",
  "For people who run payments.",
  "Watched by families.",
  "Recorded spots, no host-read.",
  "The host reads your message.",
  "Marathon training and shoes.",
  "Live sports.",
  "On the home page.",
  "Hosted by two friends.",
  "Kochen und Rezepte.",
  "Récits de voyage.",
  "Noticias del día.",
)
const price = fc.record({
  model: fc.constantFrom("cpm", "cpc", "flat_rate", "time"),
  amount: fc.constantFrom(0.4, 12, 25, 620, 7917),
  currency: fc.constantFrom("EUR", "USD", "GBP"),
  isFloor: fc.boolean(),
  least: fc.constantFrom(undefined, 300, 2500),
  duration: fc.constantFrom(undefined, 3),
})
const offer = fc.record({
  texts: fc.array(sayings, { minLength: 1, maxLength: 3 }),
  channel: fc.constantFrom("podcast", "radio", "email", "display", "ctv", "olv", "dooh"),
  format: fc.constantFrom(
    "podcast_midroll_60s_hosted",
    "podcast_host_read_midroll",
    "video_30s_hosted",
    "display_300x250_image",
    "audio_30s_hosted",
  ),
  delivery_type: fc.constantFrom("guaranteed", "non_guaranteed"),
  territories: fc.uniqueArray(fc.constantFrom(...allCodes), { minLength: 1, maxLength: 4 }),
  prices: fc.array(price, { minLength: 1, maxLength: 2 }),
  ends: fc.constantFrom(undefined, "2026-12-24T00:00:00Z"),
})

const optionOf = ({ model, amount, currency, isFloor, least, duration }: Json, place: number) => ({
  pricing_option_id: `o${place}`,
  pricing_model: model,
  currency,
  [isFloor ? "floor_price" : "fixed_price"]: amount,
  ...(least === undefined ? {} : { min_spend_per_package: least }),
  ...(model === "time"
    ? { parameters: { time_unit: "day", ...(duration === undefined ? {} : { min_duration: duration }) } }
    : {}),
})

test("each reason states only what the product says, for any catalogue and brief", () => {
  const briefs = [...judged, ...phrased.phrasings].map(({ brief: text }) => text)
  const wishes = [
    "host-read spots",
    "running shoes",
    "home owners",
    "travel brand",
    "mid-roll",
    "sports",
    "up to 300 EUR",
    "CPM below 20 EUR",
    "guaranteed",
  ]
  const text = fc.oneof(
    fc.constantFrom(...briefs),
    fc
      .uniqueArray(fc.constantFrom(...wishes, "no podcasts", "Germany", "France", "radio", "connected TV"), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join(", ")),
  )
  const filters = fc.constantFrom(
    {},
    { filters: { is_fixed_price: true } },
    { filters: { pricing_currencies: ["EUR"] } },
  )
  let reasons = 0
  fc.assert(
    fc.property(
      fc.array(offer, { minLength: 3, maxLength: 8 }),
      fc.array(text, { minLength: 4, maxLength: 4 }),
      filters,
      (offers, texts, filter) => {
        const sold = offers.map(({ texts: said, channel, format, delivery_type, prices, ends }, at) =>
          givenProduct(`p${at}`, {
            name: said[0],
            description: said.join(" "),
            channels: [channel],
            format_ids: [{ id: format }],
            delivery_type,
            pricing_options: prices.map(optionOf),
            ...(ends === undefined ? {} : { expires_at: ends }),
          }),
        )
        const seen = givenView(sold, Object.fromEntries(offers.map(({ territories: codes }, at) => [`p${at}`, codes])))
        for (const asked of texts) {
          for (const product of ask(seen, { brief: asked, ...filter, ...all }).products) {
            const { brief_relevance: reason = "", ...facts } = product
            if (reason !== "") reasons++
            expect([asked, reason, unfounded(reason, facts, asked)]).toEqual([asked, reason, []])
          }
        }
      },
    ),
    { numRuns: 100, seed: 15 },
  )
  expect(reasons).toBeGreaterThan(500)
})

test("each phrasing of the working half is obeyed, and its amounts and dates are read", () => {
  const sold = Object.fromEntries(phrased.openings.map(({ productId, territories: codes }) => [productId, [...codes]]))
  const seen = givenView([...phrased.products], sold)
  const verdicts = phrased.working.map((phrasing) => {
    const answer = ask(seen, { brief: phrasing.brief, ...all })
    return { brief: phrasing.brief, ...phrased.judge(phrasing, idsIn(answer), answer.ext?.adbooth.understood) }
  })
  expect(verdicts.filter(({ obeyed, understood }) => !obeyed || !understood)).toEqual([])
  expect(verdicts.reduce((sum, { order }) => sum + order, 0) / verdicts.length).toBeGreaterThan(0.97)
})
