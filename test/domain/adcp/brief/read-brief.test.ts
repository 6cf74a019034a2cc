import { expect, setDefaultTimeout, test } from "bun:test"
import * as sold from "../../../../bench/briefs/sellers/sellers.ts"
import { judge, working } from "../../../../bench/briefs/sellers/sellers.ts"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"
import { reasonsIn } from "../../../../src/domain/adcp/brief/reasons.ts"
import { checkProduct } from "../../../../src/domain/adcp/catalogue/check.ts"
import { ask, givenProduct, givenView, idsIn, own, TODAY } from "../given.ts"

setDefaultTimeout(600_000)

const read = (brief: string) => readBrief(brief, TODAY, () => false)

test.each([
  ["a budget of 15k EUR", 15_000, "EUR"],
  ["Budget: 9.500,- EUR", 9_500, "EUR"],
  ["Etat 15 TEUR", 15_000, "EUR"],
  ["we have £3,000", 3_000, "GBP"],
  ["hasta 10.000 euros", 10_000, "EUR"],
  ["10 000 à 12 000 €, budget total", 12_000, "EUR"],
  ["Podcast. 4k EUR.", 4_000, "EUR"],
  ["budget 8000 JPY", 8_000, "JPY"],
  ["C$6,000 for radio", 6_000, "CAD"],
  ["EUR 3-4k for a month", 4_000, "EUR"],
  ["entre 2 000 et 3 000 euros", 3_000, "EUR"],
  ["800 € pas plus", 800, "EUR"],
  ["Our budget is 5,000 EUR", 5_000, "EUR"],
  ["Our client has up to 5,000 EUR", 5_000, "EUR"],
])("%s: the budget", (brief, most, currency) => {
  expect(read(brief).budget).toEqual({ most, currency })
})

test.each([
  "GBP 6k from Easter on, and more than 5,000 GBP later",
  "15 Sek. Spots",
  "min. 300k imps",
  "budget 5,000",
  "our bikes cost 2,000 EUR",
  "at least 5,000 EUR",
  "900 € l'envoi",
  "1.500 Euro pro Ausgabe",
  "budget $5,000 in Canada",
  "budget 5000 ALL IN",
  "Our competitor spends up to 5,000 EUR on radio",
  "Unser Wettbewerber gibt bis zu 5.000 EUR für Radio aus",
  "Nuestro competidor gasta hasta 5.000 EUR en radio",
  "In 2025 the budget was 4,000 EUR",
  "Last year we spent up to 5,000 EUR",
  "Tope por inserción: 300 EUR",
])("%s: no budget", (brief) => {
  expect(read(brief).budget).toBeUndefined()
})

test.each([
  ["CPM 10 USD tops", "cpm", 10, "USD"],
  ["not more than EUR 18 CPM", "cpm", 18, "EUR"],
  ["TKP bis 12,50 €", "cpm", 12.5, "EUR"],
  ["coste por mil no superior a 30 €", "cpm", 30, "EUR"],
  ["coût par clic sous 0,70 €", "cpc", 0.7, "EUR"],
] as const)("%s: the most for a unit", (brief, model, most, currency) => {
  expect(read(brief).prices).toEqual({ [model]: { most, currency } })
})

test.each([
  ["GBP 400 per send is the limit. Radio", "GBP 400 per send is the limit"],
  ["Radio, C$1,500 a month for three months", "C$1,500 a month for three months"],
  ["Connected TV, mindestens 20.000 €", "20.000 €"],
])("%s: an amount that is no budget is quoted", (brief, quote) => {
  expect(read(brief)).toMatchObject({ budget: undefined, unsure: [quote] })
})

test.each(["CPM no higher than 18 euros", "nothing above 500 EUR", "moins de 10 € le CPM"])(
  "%s: a negation of an amount is read with it",
  (brief) => {
    expect(read(brief).unsure).toEqual([])
  },
)

test.each([
  ["2027-03-15", "2027-03", "2027-03"],
  ["March 2027", "2027-03", "2027-03"],
  ["Jan–March 2027", "2027-01", "2027-03"],
  ["November to February 2027", "2026-11", "2027-02"],
  ["del 1 de junio al 31 de agosto de 2027", "2027-06", "2027-08"],
  ["vom 1. Juni bis zum 31. August 2027", "2027-06", "2027-08"],
  ["du 1er juin au 31 août 2027", "2027-06", "2027-08"],
  ["June 1 – August 31, 2027", "2027-06", "2027-08"],
  ["from 10 November 2027 until 5 March", "2027-11", "2028-03"],
  ["Q2 2027", "2027-04", "2027-06"],
  ["KW 12–16", "2027-03", "2027-04"],
  ["W12–W16", "2027-03", "2027-04"],
  ["1.3.–15.4.", "2027-03", "2027-04"],
])("%s: the time", (brief, from, to) => {
  expect(read(brief).period).toEqual({ from, to })
})

test.each(["in March", "après", "à sept heures", "W25-54", "may 15 people come", "version 1.3"])(
  "%s: no time",
  (brief) => {
    expect(read(brief).period).toBeUndefined()
  },
)

test.each([
  ["DE, AT and CH", ["DE", "AT", "CH"]],
  ["for DACH", ["DE", "AT", "CH"]],
  ["podcasts in germany", ["DE"]],
  ["TV, US", ["US"]],
  ["dentistes allemands", ["DE"]],
  ["readers in the UK", ["GB"]],
  ["EE. UU.", ["US"]],
  ["plant-based", []],
  ["Turkey sandwiches", []],
  ["podcasts in Turkey", ["TR"]],
  ["French wine lovers", []],
  ["New England", []],
  ["join us", []],
  ["das Dach", []],
  ["PODCASTS. UK. NO AUCTIONS.", ["GB"]],
  ["JOIN US, IT IS NO ID", []],
  ["travellers to Sweden", []],
  ["people who fly to Spain", []],
  ["vols vers l'Espagne", []],
  ["viajeros a Italia", []],
  ["deliver ads to Germany", ["DE"]],
  ["We like Newsletters in germany", ["DE"]],
  ["dining in turkey, We like it", []],
  ["We're based in Germany and want UK readers", ["GB"]],
  ["Wein aus Spanien, Leser aus Österreich", ["AT"]],
  ["Entreprise basée en Belgique, cible : la France", ["FR"]],
  ["a budget of US$ 30,000", []],
  ["budget 5,000 $ US readers", ["US"]],
  ["budget de 5 000 $ US, radio", []],
  ["Oven maker from Vicenza, Italy", []],
  ["Wir sitzen in Polen und suchen Podcasts", []],
  ["La empresa nació en Uruguay y busca podcasts", []],
  ["Née en Pologne, notre marque cherche des podcasts", []],
  ["una tienda en Granada", []],
  ["Märkte FR und CH", ["FR", "CH"]],
  ["logistics, UK + ES", ["GB", "ES"]],
  ["What else is there in Austria?", ["AT"]],
  ["holiday makers in France", ["FR"]],
])("%s: countries", (brief, countries) => {
  expect(read(brief).countries).toEqual(countries as string[])
})

test.each([
  ["Podcasts over radio, please", []],
  ["We prefer newsletters to podcasts", ["email"]],
  ["Lieber Plakate als Kino", ["ooh"]],
  ["Wir bevorzugen Newsletter gegenüber Podcasts", []],
  ["On préfère les podcasts à la radio", ["podcast"]],
  ["Prefiero un boletín a un podcast", ["email"]],
  ["Nos gusta más el pódcast que la radio", []],
  ["Podcasts and the radio for families", ["podcast", "radio"]],
])("%s: what is compared is wanted only if it is preferred, and quoted", (brief, channels) => {
  const { channels: wanted, unsure } = readBrief(brief, TODAY, () => true)
  expect({ wanted, isQuoted: unsure.length > 0 }).toEqual({ wanted: channels, isQuoted: !brief.includes(" and ") })
})

test.each([
  ["We sell newsletter software, radio please", ["radio"], ["We sell newsletter software"]],
  ["Radio-controlled cars for kids", [], ["Radio-controlled"]],
  ["Podcast-Mikrofone in Wien, gern im Newsletter", ["email"], ["Podcast-Mikrofone"]],
  ["Do we need TV? I doubt it. Podcasts", ["podcast"], ["Do we need TV? I doubt it"]],
  ["We love radio but can't afford it", [], ["We love radio but can't afford it", "but can't afford it"]],
  ["We want radio but not before March", ["radio"], ["but not before March"]],
  ["Weniger Radio, gern Podcasts", ["podcast"], ["Weniger Radio"]],
  ["La radio a été un échec, newsletters svp", ["email"], ["La radio a été un échec"]],
  ["✅ podcasts, ❌ radio", ["podcast"], ["❌ radio"]],
  ["We have 5,000 EUR for out of home", ["ooh", "dooh"], []],
  ["Our rival has max 3,000 EUR for posters", [], ["Our rival has max 3,000 EUR for posters"]],
  ["Dutch dairy farmers in print", ["print"], []],
  ["HOME BAKERS PODCAST SPOTS UK", ["podcast"], []],
  ["email to choirs in Germany", ["email"], []],
  ["Nicht nur Print, auch Radio wäre denkbar", ["print", "radio"], []],
  ["vertical videos for teens", ["olv"], []],
  ["Display, audio and email are out of scope", [], ["Display, audio and email are out of scope"]],
  ["Kino? Haben wir durch. Gern Radio", ["radio"], ["Kino? Haben wir durch"]],
])("%s: the wish, and what is quoted", (brief, channels, unsure) => {
  const reading = readBrief(brief, TODAY, () => true)
  expect({ channels: reading.channels, unsure: reading.unsure }).toEqual({ channels, unsure })
})

test("the buyer's own podcast is no channel, and no banners are less than no display", () => {
  expect(read("promote our podcast on the radio").channels).toEqual(["radio"])
  expect(read("no banners").unwanted).toMatchObject([{ channels: ["display"], trait: "banners" }])
  const view = givenView([
    givenProduct("banner", { channels: ["display"], format_ids: [{ id: "display_300x250_image" }] }),
    givenProduct("native", { channels: ["display"], format_ids: [{ id: "native_in_feed" }] }),
  ])
  const { products } = ask(view, { brief: "no banners" })
  expect(products.map((product: { brief_relevance?: string }) => product.brief_relevance)).toEqual([
    undefined,
    "Not wanted: banners only.",
  ])
})

test.each([
  ["Podcasts for parents, no expensive podcasts", "no expensive podcasts"],
  ["dog owners, no lobster jokes", "no lobster jokes"],
  ["Wir suchen Hörer in Graz, aber keine langen Podcasts", "aber keine langen Podcasts"],
  ["Nous cherchons des parents, pas de radio locale", "pas de radio locale"],
  ["Buscamos padres en España, sin podcasts caros", "sin podcasts caros"],
])("%s: less than a thing is not the thing, and is quoted", (brief, quote) => {
  const { unwanted, unsure } = readBrief(brief, TODAY, () => true)
  expect({ unwanted, unsure }).toEqual({ unwanted: [], unsure: [quote] })
})

test.each([
  ["Exclusions: print; audio of any kind", ["audio of any kind"], []],
  ["Exclusions: print; radio; podcasts", ["radio", "podcasts"], []],
  ["Exclusions: print; channel: radio", [], ["radio"]],
  ["We swore off radio years ago. Galway", ["We swore off radio years ago"], []],
  ["Our rival sponsors podcasts and good luck to them", ["Our rival sponsors podcasts and good luck to them"], []],
])("%s: what is not surely wanted is quoted, and no more", (brief, unsure, channels) => {
  const reading = read(brief)
  expect({ unsure: reading.unsure, channels: reading.channels }).toEqual({ unsure, channels })
})

test.each([
  "no radio ads",
  "We have had it up to here with print.",
  "We ned a podcst for nurces",
  "Wij willen geen podcasts",
])("%s: that nothing matches is said only of what is surely asked for", (brief) => {
  const view = givenView([givenProduct("p", { channels: ["podcast"], name: "Podcast for nurses" })])
  expect(ask(view, { brief }).message).not.toContain("None of them")
})

test.each([
  "We'd sooner not go on the radio, bakers in Kent",
  "Bäcker, von Radio halten wir nicht viel",
  "boulangers; on n'a jamais aimé la radio",
  "panaderos; la radio nunca funcionó",
])("%s: a channel beside a word of negation is not searched for, and quoted", (brief) => {
  const { terms, channels, unsure } = read(brief)
  expect({ isSearched: terms.some(({ word }) => word === "radio"), channels }).toEqual({
    isSearched: false,
    channels: [],
  })
  expect(unsure.join()).toContain("adio")
})

test.each([
  "Soportes no admitidos: prensa, radio. Territorio: España",
  "Medien, die nicht zugelassen sind: Print, Radio. Markt: Spanien",
  "Supports non retenus : la presse, la radio. Marché : Espagne",
  "Media not accepted: print, radio. Market: Spain",
])("%s: what is listed under a heading with a negation is quoted, never wanted", (brief) => {
  for (const isKnown of [true, false]) {
    const { channels, countries, unsure } = readBrief(brief, TODAY, () => isKnown)
    expect({ channels, countries }).toEqual({ channels: [], countries: ["ES"] })
    expect(unsure.join()).toContain("adio")
  }
})

test("a part of another word, or of an amount, is no mention", () => {
  const view = givenView([givenProduct("p", { description: "Für Sages-femmes, und Läufer über 10K", channels: [] })])
  for (const brief of ["femmes en France", "Radio, 10k"])
    expect(ask(view, { brief }).products[0].brief_relevance ?? "").not.toMatch(/mention/i)
})

test("a brief in a language that is not read is only searched, and the message says so", () => {
  const view = givenView([givenProduct("p", { channels: ["podcast"] }), givenProduct("r", { channels: ["radio"] })])
  const { message, ext, products } = ask(view, { brief: "Wij willen geen podcasts voor onze klanten, graag radio" })
  expect(message).toContain("Briefs are read in English, German, French and Spanish")
  expect(ext).toBeUndefined()
  expect(products[0].brief_relevance).toBeUndefined()
})

test("what a sentence quotes stays as it was written", () => {
  expect(reasonsIn("en").say("within", "“{1}”", "5 EUR")).toBe("“{1}”, within 5 EUR")
})

test("message and reasons are in the language of the brief", () => {
  const view = givenView([givenProduct("p", { channels: ["podcast"] })], { p: ["AT"] })
  const { message, products } = ask(view, { brief: "Wir suchen einen Podcast in Österreich, nicht unbedingt Radio" })
  expect(message).toBe("1 Produkt. Verstanden: Podcast; Österreich. Nicht gedeutet: „nicht unbedingt Radio“.")
  expect(products[0].brief_relevance).toBe("Podcast; gezeigt in Österreich.")
})

test("the sellers' products are valid, and the briefs to work with find what a buyer would want", () => {
  const views = Object.fromEntries(
    Object.entries(sold.sellers).map(([seller, entries]) => {
      expect(entries.flatMap(({ product }) => checkProduct(product, own))).toEqual([])
      const codes = entries.map(({ opening }) => [opening.productId, [...opening.territories]] as const)
      return [
        seller,
        givenView(
          entries.map(({ product }) => product),
          Object.fromEntries(codes) as Record<string, string[]>,
        ),
      ] as const
    }),
  )
  const verdicts = working.map((each) =>
    judge(each, idsIn(ask(views[each.seller] as never, { brief: each.brief, pagination: { max_results: 100 } }))),
  )
  expect(verdicts.flatMap(({ inverted }) => inverted)).toEqual([])
  expect(verdicts.reduce((sum, { order }) => sum + order, 0) / verdicts.length).toBeGreaterThan(0.95)
})
