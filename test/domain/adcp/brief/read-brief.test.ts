import { expect, test } from "bun:test"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"
import { understood } from "../../../../src/domain/adcp/brief/wording.ts"
import { TODAY } from "../given.ts"

const read = (brief: string) => readBrief(brief, TODAY, () => false)
const said = (brief: string) => understood(read(brief)).fields

test.each([
  ["true crime podcasts", ["podcast"]],
  ["Poddreklam", ["podcast"]],
  ["Podcastwerbung", ["podcast"]],
  ["newsleter", ["email"]],
  ["podcats", ["podcast"]],
  ["newsletter banner", ["email"]],
  ["TV-Spots", ["ctv", "linear_tv"]],
  ["télévision connectée", ["ctv"]],
  ["buitenreclame", ["dooh", "ooh"]],
  ["Radiospot", ["radio", "streaming_audio"]],
  ["uutiskirje", ["email"]],
  ["vallas publicitarias", ["ooh", "dooh"]],
  ["Außenwerbung auf digitalen Bildschirmen", ["dooh"]],
  ["audio, no podcasts", ["streaming_audio", "radio"]],
  ["no video, but CTV", ["ctv"]],
])("%s: channels", (brief, channels) => {
  expect(said(brief)["channels"]).toEqual(channels)
})

test.each([
  ["podcasts in Turkey", ["TR"]],
  ["Turkey and Greece, display", ["TR", "GR"]],
  ["podcasts, Turkey, 5k EUR", ["TR"]],
  ["campaign for china and japan", ["CN", "JP"]],
  ["Georgia: display, newsletters", ["GE"]],
  ["Polish podcasts", ["PL"]],
  ["Polish and Czech audience", ["PL", "CZ"]],
  ["travellers to Jordan", ["JO"]],
  ["Mali, Niger and Chad", ["ML", "NE", "TD"]],
  ["CHINA AND TURKEY", ["CN", "TR"]],
  ["Spanish speaking audience in the US", ["US"]],
])("%s: a name that can be another thing stands as a country", (brief, countries) => {
  expect(said(brief)["countries"]).toEqual(countries)
})

test.each([
  "Turkey recipes for Thanksgiving",
  "turkey recipes",
  "guinea pigs and other pets",
  "brazil nuts snack brand",
  "china plates",
  "nail polish brand",
  "polish your shoes",
  "Michael Jordan sneakers",
  "Panama hats",
  "Cuba libre",
  "Chad wants banners",
  "we need banners. Thanks, Jordan",
])("%s: not a country, but a word to look for", (brief) => {
  const { countries, words } = said(brief)
  expect(countries).toBeUndefined()
  const name = /turkey|guinea|brazil|china|polish|jordan|panama|cuba|chad/i.exec(brief)?.[0] ?? ""
  expect(words).toContain(name)
})

test("an amount is not a price because one follows behind a comma", () => {
  const { budget, cpm } = said("around 50k SEK, max CPM 250 SEK")
  expect(budget).toEqual({ max: 50_000, currencies: ["SEK"] })
  expect(cpm).toEqual({ max: 250, currencies: ["SEK"] })
})

test("of a very long brief the start is read", () => {
  const long = `podcasts in France ${"and more ".repeat(2_000)} newsletters in Spain`
  expect(said(long)).toMatchObject({ channels: ["podcast"], countries: ["FR"] })
  expect(read(long).isCut).toBe(true)
  expect(read("podcasts in France").isCut).toBe(false)
})

test.each([
  ["Austrian listeners", ["AT"]],
  ["the German market", ["DE"]],
  ["für österreichische Hörer", ["AT"]],
  ["Nordics", ["SE", "NO", "DK", "FI", "IS"]],
  ["DACH", ["DE", "AT", "CH"]],
  ["Benelux", ["BE", "NL", "LU"]],
  ["German-speaking Switzerland", ["CH"]],
  ["Helsinki", ["FI"]],
  ["Suomessa ja Ruotsissa", ["FI", "SE"]],
  ["EE.UU.", ["US"]],
  ["ctv us", ["US"]],
  ["In the US", ["US"]],
  ["FR + DE + IT", ["FR", "DE", "IT"]],
  ["DE/AT/CH", ["DE", "AT", "CH"]],
  ["marché français et belge", ["FR", "BE"]],
  ["Île-de-France", ["FR"]],
  ["United States, United Kingdom", ["US", "GB"]],
  ["Sveriges största podd", ["SE"]],
  ["in GB", ["GB"]],
  ["banners in AT", ["AT"]],
  ["travel in IT", ["IT"]],
  ["the States", ["US"]],
  ["Oesterreich", ["AT"]],
  ["NYC", ["US"]],
  ["SE, NO, DK", ["SE", "NO", "DK"]],
  ["Benelux except Belgium", ["NL", "LU"]],
  ["nothing in Europe, just Spain", ["ES"]],
])("%s: countries", (brief, countries) => {
  expect(said(brief)["countries"]).toEqual(countries)
})

test.each([
  "KW 12",
  "people who work in IT",
  "a product in AI",
  "Please contact us about IT managers",
  "Let us talk about AI",
  "TV and PR",
  "Lets go",
])("%s: names no country", (brief) => {
  expect(said(brief)["countries"]).toBeUndefined()
})

test.each([
  ["1.5k", { max: 1500, currencies: [] }],
  ["2,000 USD", { max: 2000, currencies: ["USD"] }],
  ["2.000 €", { max: 2000, currencies: ["EUR"] }],
  ["2,5 Mio. Euro", { max: 2_500_000, currencies: ["EUR"] }],
  ["zwischen 5 und 10 Tausend Euro", { min: 5000, max: 10_000, currencies: ["EUR"] }],
  ["$5,000 to $10,000", { min: 5000, max: 10_000, currencies: ["USD"] }],
  ["1 500 €", { max: 1500, currencies: ["EUR"] }],
  ["CHF 25'000", { max: 25_000, currencies: ["CHF"] }],
  ["40 000 kr i Norge", { max: 40_000, currencies: ["NOK"] }],
  ["20.000 kr.", { max: 20_000, currencies: ["SEK", "NOK", "DKK"] }],
  ["$4k in Canada", { max: 4000, currencies: ["CAD"] }],
  ["at least 10k GBP", { min: 10_000, currencies: ["GBP"] }],
  ["email under 1000", { max: 1000, currencies: [] }],
  ["moins de mille euros", { max: 1000, currencies: ["EUR"] }],
  ["800 € pas plus", { max: 800, currencies: ["EUR"] }],
  ["no más de 500 euros", { max: 500, currencies: ["EUR"] }],
  ["75 tkr, 30 sek", { max: 75_000, currencies: ["SEK", "NOK", "DKK"] }],
])("%s: budget", (brief, budget) => {
  expect(said(brief)["budget"]).toEqual(budget)
})

test.each([
  "10k impressions",
  "women 18-34",
  "60% viewability",
  "since 2027",
  "15.03.2027",
  "CPC max 0,60 €",
  "5 EUR CPM",
  "300x250",
  "20:15",
])("%s: no budget", (brief) => {
  expect(said(brief)["budget"]).toBeUndefined()
})

test.each([
  ["next March", { from: "2027-03", to: "2027-03" }],
  ["Q4", { from: "2026-10", to: "2026-12" }],
  ["Q1", { from: "2027-01", to: "2027-03" }],
  ["November to February", { from: "2026-11", to: "2027-02" }],
  ["January to March 2028", { from: "2028-01", to: "2028-03" }],
  ["de janvier à mars", { from: "2027-01", to: "2027-03" }],
  ["im März", { from: "2027-03", to: "2027-03" }],
  ["maaliskuussa", { from: "2027-03", to: "2027-03" }],
  ["2027-05-12", { from: "2027-05", to: "2027-05" }],
  ["ab 15.03.2027", { from: "2027-03", to: "2027-03" }],
  ["Black Friday", { from: "2026-11", to: "2026-11" }],
  ["Weihnachten", { from: "2026-11", to: "2026-12" }],
  ["in 2028", { from: "2028-01", to: "2028-12" }],
  ["KW 12", { from: "2027-03", to: "2027-03" }],
  ["KW 47-49", { from: "2026-11", to: "2026-12" }],
  ["calendar week 1/2028", { from: "2028-01", to: "2028-01" }],
  ["next month", { from: "2026-12", to: "2026-12" }],
  ["le mois prochain", { from: "2026-12", to: "2026-12" }],
  ["not before March 2028", { from: "2028-03", to: "2028-03" }],
  ["next quarter", { from: "2027-01", to: "2027-03" }],
  ["nächstes Jahr", { from: "2027-01", to: "2027-12" }],
  ["1.3.–15.4.2027", { from: "2027-03", to: "2027-04" }],
  ["vom 10.02. bis 20.03.2027", { from: "2027-02", to: "2027-03" }],
  ["10/02/2027 - 20/03/2027", { from: "2027-02", to: "2027-03" }],
  ["02/15/2027 in the US", { from: "2027-02", to: "2027-02" }],
  ["zweiten Quartal 2027", { from: "2027-04", to: "2027-06" }],
])("%s: period", (brief, period) => {
  expect(said(brief)["period"]).toEqual(period)
})

test("months that are words are months only where they stand as such", () => {
  expect(said("We march on and may buy")["period"]).toBeUndefined()
  expect(said("newsletters in May")["period"]).toEqual({ from: "2027-05", to: "2027-05" })
})

test.each([
  [":30 and :15", [30, 15]],
  ["30 Sekunden", [30]],
  ["15 or 30 sec", [15, 30]],
  ["30-second spots", [30]],
  ["30 sekuntia", [30]],
  ["1 minute", [60]],
  ["20s", [20]],
])("%s: lengths", (brief, seconds) => {
  expect(said(brief)["durations_seconds"]).toEqual(seconds)
})

test("sizes, placements, delivery and prices are read", () => {
  expect(said("banner 300x250 or 970 x 250")["sizes"]).toEqual(["300x250", "970x250"])
  expect(said("host-read mid-roll")["placements"]).toEqual(["host-read", "mid-roll"])
  expect(said("programmatic")["delivery_type"]).toBe("non_guaranteed")
  expect(said("fixed prices, no auctions")["delivery_type"]).toBe("guaranteed")
  expect(said("programmatic or guaranteed")["delivery_type"]).toBeUndefined()
  expect(said("non-guaranteed")["delivery_type"]).toBe("non_guaranteed")
  expect(said("pay per click")["pricing_models"]).toEqual(["cpc"])
  expect(said("$15 CPM in the US")["cpm"]).toEqual({ max: 15, currencies: ["USD"] })
})

test("what is not wanted is kept apart, as far as the comma", () => {
  expect(said("keine Banner, nur Podcasts")).toMatchObject({
    channels: ["podcast"],
    unwanted_channels: ["display"],
  })
  expect(said("Germany but not Austria")).toMatchObject({ countries: ["DE"], unwanted_countries: ["AT"] })
})

test.each([
  ["podcasts with a CPM of max. 30 EUR", "cpm", 30, "EUR"],
  ["TKP max. 25 €", "cpm", 25, "EUR"],
  ["CPM inférieur à 20 €", "cpm", 20, "EUR"],
  ["Tausenderkontaktpreis 25 Euro", "cpm", 25, "EUR"],
  ["CPM not above 25 USD", "cpm", 25, "USD"],
  ["under £20 CPM", "cpm", 20, "GBP"],
  ["a CPM between 10 and 20 EUR", "cpm", 20, "EUR"],
  ["coste por mil no superior a 30 €", "cpm", 30, "EUR"],
  ["coût pour mille ne dépassant pas 10 €", "cpm", 10, "EUR"],
  ["10 Euro pro tausend Kontakte", "cpm", 10, "EUR"],
  ["CPC max 0,60 €", "cpc", 0.6, "EUR"],
  ["50 cents a click, USD", "cpc", 0.5, undefined],
  ["no more than 600 EUR a day", "price_per_day", 600, "EUR"],
])("%s: a price, and no budget", (brief, model, max, currency) => {
  const { budget, [model]: price } = said(brief)
  expect(budget).toBeUndefined()
  expect(price).toMatchObject({ max, currencies: currency === undefined ? [] : [currency] })
})

test("a budget beside a price is a budget", () => {
  expect(said("budget 5,000 EUR with a CPM of 20 EUR")).toMatchObject({
    budget: { max: 5000, currencies: ["EUR"] },
    cpm: { max: 20, currencies: ["EUR"] },
  })
})

test("a summary says all of it in a sentence", () => {
  expect(
    understood(read("Podcast host-read for a new running shoe in Germany, 1,500 to 2,000 EUR, next March")).summary,
  ).toBe(
    "podcast; Germany; 1,500 to 2,000 EUR; March 2027; host-read; about running and fashion; words: running and shoe",
  )
  expect(understood(read("what do you have?")).summary).toBe("")
})
