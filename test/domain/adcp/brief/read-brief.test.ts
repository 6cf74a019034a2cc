import { expect, test } from "bun:test"
import * as sold from "../../../../bench/briefs/sellers/sellers.ts"
import { briefsIn, judge } from "../../../../bench/briefs/sellers/sellers.ts"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"
import { checkProduct } from "../../../../src/domain/adcp/catalogue/check.ts"
import { ask, givenProduct, givenView, idsIn, own } from "../given.ts"
import type { Json } from "../schema/answers.ts"

const read = readBrief

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
  "budget de 12 000 $, radio à Montréal",
  "presupuesto de $25,000 para radio",
  "budget 5000 ALL IN",
  "Our competitor spends up to 5,000 EUR on radio",
  "Unser Wettbewerber gibt bis zu 5.000 EUR für Radio aus",
  "Nuestro competidor gasta hasta 5.000 EUR en radio",
  "In 2025 the budget was 4,000 EUR",
  "Last year we spent up to 5,000 EUR",
  "Da haben wir uns 2023 für 1.200 Euro die Finger verbrannt",
  "Nous avons appris pour 2 000 euros",
  "We have learned that for 3,000 EUR",
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
  expect(read(brief)).toMatchObject({ budget: undefined, notInterpreted: [quote] })
})

test.each(["CPM no higher than 18 euros", "nothing above 500 EUR", "moins de 10 € le CPM"])(
  "%s: a negation of an amount is read with it",
  (brief) => {
    expect(read(brief).notInterpreted).toEqual([])
  },
)

test.each([
  ["DE, AT and CH", ["DE", "AT", "CH"]],
  ["for DACH", ["DE", "AT", "CH"]],
  ["podcasts in germany", ["DE"]],
  ["TV, US", ["US"]],
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
  ["no US, UK only", []],
  ["JOIN US, IT IS NO ID", []],
  ["travellers to Sweden", []],
  ["people who fly to Spain", []],
  ["vols vers l'Espagne", []],
  ["viajeros a Italia", []],
  ["deliver ads to Germany", ["DE"]],
  ["We want Newsletters in germany", ["DE"]],
  ["dining in turkey, We like it", []],
  ["We're based in Germany and want UK readers", ["GB"]],
  ["Wein aus Spanien, wir suchen Leser in Österreich", ["AT"]],
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
  ["holiday makers in France", ["FR"]],
])("%s: countries", (brief, countries) => {
  expect(read(brief).countries).toEqual(countries as string[])
})

test.each([
  ["Lieber Plakate als Kino", ["ooh"], ["cinema"]],
  ["Rather newsletters than podcasts", ["email"], ["podcast"]],
  ["Plutôt la radio que le podcast", ["radio"], ["podcast"]],
  ["Podcasts and the radio for families", ["podcast", "radio"], []],
  ["Connected TV, but no TV", ["ctv"], ["linear_tv"]],
  ["Nicht nur Print, auch Radio wäre denkbar", ["print", "radio"], []],
  ["We have 5,000 EUR for out of home", ["ooh", "dooh"], []],
  ["Neither podcasts nor radio, newsletters please", ["email"], ["podcast", "radio"]],
  ["Ni vallas ni radio: boletines", ["email"], ["ooh", "radio"]],
  ["Podcasts and radio are out, print is fine", ["print"], ["podcast", "radio"]],
  ["Radio? Nein danke. Gern Podcasts", ["podcast"], ["radio"]],
  ["Promote our podcast on the radio", ["radio"], []],
])("%s: channels that are named, and those that are refused", (brief, channels, without) => {
  const reading = read(brief)
  expect({ channels: reading.channels, without: reading.without.channels, quotes: reading.notInterpreted }).toEqual({
    channels,
    without,
    quotes: [],
  })
})

test.each([
  ["✅ podcasts, ❌ radio", ["podcast"], ["❌ radio"]],
  ["We love radio but can't afford it", [], ["We love radio", "but can't afford it"]],
  ["We sell newsletter software, radio please", ["radio"], ["We sell newsletter software"]],
  ["Radio-controlled cars for kids", [], ["Radio-controlled cars for kids"]],
  ["We want radio but not before March", ["radio"], ["but not before March"]],
  ["Do we need TV? I doubt it. Podcasts", ["podcast"], ["Do we need TV", "I doubt it"]],
  ["Kino? Haben wir durch. Gern Radio", ["radio"], ["Kino? Haben wir durch"]],
  ["Our rival sponsors podcasts and good luck to them", [], ["Our rival sponsors podcasts and good luck to them"]],
  ["We already have newsletters, so radio", ["radio"], ["We already have newsletters"]],
  ["no lobster jokes, podcasts", ["podcast"], ["no lobster jokes"]],
  ["avoid news, politics and crime. Podcasts", ["podcast"], ["avoid news, politics and crime"]],
  ["podcasts in the UK except the ones on football", ["podcast"], ["except the ones on football"]],
  ["Nous cherchons des parents, pas de radio locale", [], ["pas de radio locale"]],
  ["no banners", [], ["no banners"]],
  ["If you ask me, radio is fine. Newsletters", ["email"], ["If you ask me, radio is fine"]],
  ["La radio a été un échec. Newsletters svp", ["email"], ["La radio a été un échec"]],
])("%s: a clause that is not sure is quoted whole, and nothing in it is understood", (brief, channels, quotes) => {
  const reading = read(brief)
  expect({ channels: reading.channels, quotes: reading.notInterpreted }).toEqual({ channels, quotes })
  expect(reading.without.channels).toEqual([])
})

test.each([
  ["Excluded channels: podcast, radio. Market: Spain", ["podcast", "radio"]],
  ["Excluded: podcast; radio; print", ["podcast", "radio", "print"]],
  ["Ausgeschlossene Kanäle: Podcast, Radio. Markt: Spanien", ["podcast", "radio"]],
  ["Ausgeschlossener Kanal: Radio", ["radio"]],
  ["Medien, die nicht zugelassen sind: Print, Radio. Markt: Spanien", ["print", "radio"]],
  ["Unerwünschte Formate: Podcasts und Radio", ["podcast", "radio"]],
  ["Exclus : la radio, la presse", ["radio", "print"]],
  ["Supports exclus : radio et presse. Marché : Espagne", ["radio", "print"]],
  ["Supports non retenus : la presse, la radio. Marché : Espagne", ["print", "radio"]],
  ["No admitidos: prensa, radio", ["print", "radio"]],
  ["Soportes no admitidos: prensa y radio. Territorio: España", ["print", "radio"]],
  ["Canales excluidos: radio", ["radio"]],
  ["Media not accepted: print, radio. Market: Spain", ["print", "radio"]],
  ["Do not propose:\n- radio\n- print\n\nWanted:\n- podcasts", ["radio", "print"]],
  ["No: radio, print", ["radio", "print"]],
])("%s: what is listed under a heading of refusal is refused", (brief, channels) => {
  const reading = read(brief)
  expect(reading.without.channels).toEqual(channels)
  expect(reading.notInterpreted).toEqual([])
  expect(reading.channels.filter((channel) => channel !== "podcast")).toEqual([])
})

test("under such a heading what is no thing is quoted, and a label of its own ends the list", () => {
  expect(read("Exclusions: print; anything loud").notInterpreted).toEqual(["anything loud"])
  expect(read("Exclusions: print; channel: radio").channels).toEqual(["radio"])
  expect(read("Rien en salle : uniquement de l'audio").without.channels).toEqual([])
  expect(read("No: give me posters at the beach, Australia").without.countries).toEqual([])
})

// What a reader that judged wishes got wrong, each with its cause.
test("a labelled list in another inflection is no wish", () => {
  const { channels, without } = read("Ausgeschlossene Kanäle: Podcast, Radio")
  expect({ channels, without: without.channels }).toEqual({ channels: [], without: ["podcast", "radio"] })
})

test("a list goes on behind a word of refusal that is not sure", () => {
  const { channels, notInterpreted } = read("Mejor ni acercarse a vallas, mupis o pantallas digitales. Boletines")
  expect({ channels, notInterpreted }).toEqual({
    channels: ["email"],
    notInterpreted: ["Mejor ni acercarse a vallas, mupis o pantallas digitales"],
  })
})

test("what would be if somebody else decided is not understood", () => {
  const { channels, notInterpreted } = read("Si fuera por mi socio, todo a influencers. Yo quiero radio")
  expect({ channels, notInterpreted }).toEqual({
    channels: ["radio"],
    notInterpreted: ["Si fuera por mi socio, todo a influencers"],
  })
})

test("what somebody is quoted with is not understood", () => {
  const { channels, notInterpreted } = read("'It's like radio with pictures', my aunt said of it. Need connected TV")
  expect(channels).toEqual(["ctv"])
  expect(notInterpreted.join()).toContain("like radio with pictures")
})

test.each([
  "We did a print thing in the 90s",
  "Open on every bank holiday",
  "Notre société s'appelle Poussette",
  "Un tour au pays du vin",
  "Somos de Toulouse pero vendemos en Valencia",
])("%s: nothing is said of words", (brief) => {
  const view = givenView([
    givenProduct("p", {
      name: "Bank, print, 90 seconds",
      description: "Poussette, vin, Toulouse, holiday, bank and everything in the 90s",
      channels: ["print"],
    }),
  ])
  const { products, ext } = ask(view, { brief })
  expect(products[0].brief_relevance).toBeUndefined()
  expect(ext?.adbooth.understood).toBeUndefined()
})

test("a refusal in words is quoted, and nothing of it is called understood", () => {
  const { channels, without, notInterpreted } = read("Newsletters for gardeners, nothing with parents/babies")
  expect({ channels, without, notInterpreted }).toEqual({
    channels: ["email"],
    without: { channels: [], countries: [] },
    notInterpreted: ["nothing with parents/babies"],
  })
})

test.each([
  ["Vom Podcast bitte absehen, der Kunde hat dort schlechte Erfahrungen gemacht.", "Vom Podcast bitte absehen"],
  ["YouTube und andere Onlinevideos sind ausdrücklich ausgenommen.", "sind ausdrücklich ausgenommen"],
  ["Plakate selbst sind aber nicht vorgesehen.", "Plakate selbst sind aber nicht vorgesehen"],
  ["The director regards cinema spots as wasteful.", "cinema spots as wasteful"],
  ["previous_campaign: {channels: [cinema, print], result: poor}", "previous_campaign"],
  ["I can pay 6000 rand, no more.", "6000"],
])("what may be refused, was before or is unknown money is quoted and not understood: %s", (brief, quoted) => {
  const { channels, budget, notInterpreted } = readBrief(brief)
  expect([channels, budget]).toEqual([[], undefined])
  expect(notInterpreted.join(" / ")).toContain(quoted)
})

test.each([
  [
    '{"preferred":["email","print"],"blocked_channels":["radio","ooh","dooh"]}',
    ["email", "print"],
    ["radio", "ooh", "dooh"],
  ],
  ["formats: newsletter\n- negative list: video of any kind", ["email"], ["olv"]],
  ["Wunsch: Audio\nSperrliste Kanäle: display, social", ["podcast", "streaming_audio", "radio"], ["display", "social"]],
])("a list under a heading is refused, and what stands before the heading is not: %s", (brief, wanted, refused) => {
  const { channels, without } = readBrief(brief)
  expect([channels, without.channels]).toEqual([wanted, refused])
})

test("products of a subject that is refused in words come later", () => {
  const view = givenView([
    givenProduct("a", { name: "For parents", channels: ["email"] }),
    givenProduct("b", { name: "For pilots", channels: ["email"] }),
  ])
  expect(idsIn(ask(view, { brief: "Newsletters, nothing with parents" }))).toEqual(["b", "a"])
})

test("a channel in a clause that is quoted ranks below the others, and is not called unwanted", () => {
  const view = givenView([
    givenProduct("a", { channels: ["radio"] }),
    givenProduct("b", { channels: ["email"] }),
    givenProduct("c", { channels: ["print"] }),
  ])
  const { products } = ask(view, { brief: "We'd sooner not go on the radio. No print." })
  expect(products.map(({ product_id, brief_relevance }: Json) => [product_id, brief_relevance])).toEqual([
    ["b", undefined],
    ["a", undefined],
    ["c", "Not wanted: print."],
  ])
})

test("a brief in a language that is not read is only searched, and the message says so", () => {
  const view = givenView([givenProduct("p", { channels: ["podcast"] }), givenProduct("r", { channels: ["radio"] })])
  const { message, ext, products } = ask(view, { brief: "Wij willen geen podcasts voor onze klanten, graag radio" })
  expect(message).toContain("Briefs are read in English, German, French and Spanish")
  expect(ext).toBeUndefined()
  expect(products[0].brief_relevance).toBeUndefined()
})

test("what is said is English whatever the language of the brief, and has facts only", () => {
  const view = givenView([givenProduct("p", { channels: ["podcast"] })], { p: ["AT"] })
  const { message, products, ext } = ask(view, {
    brief: "Wir suchen einen Podcast in Österreich, nicht unbedingt Radio",
  })
  expect(message).toBe("1 product. Understood: podcast, AT. Not interpreted: “nicht unbedingt Radio”.")
  expect(products[0].brief_relevance).toBe("Podcast, shown in AT.")
  expect(products[0].ext.adbooth.matches).toEqual({ channel: true, country: true })
  expect(ext.adbooth).toEqual({
    understood: { channels: ["podcast"], countries: ["AT"] },
    not_interpreted: ["nicht unbedingt Radio"],
  })
})

test("the sellers' products are valid, and the briefs to work with find what a buyer would want", async () => {
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
  const verdicts = (await briefsIn("working")).map((each) =>
    judge(each, idsIn(ask(views[each.seller] as never, { brief: each.brief, pagination: { max_results: 100 } }))),
  )
  expect(verdicts.flatMap(({ inverted }) => inverted)).toEqual([])
  expect(verdicts.reduce((sum, { order }) => sum + order, 0) / verdicts.length).toBeGreaterThan(0.95)
})
