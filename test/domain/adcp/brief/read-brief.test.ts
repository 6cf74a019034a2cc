import { expect, test } from "bun:test"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"
import { summarize, understood } from "../../../../src/domain/adcp/brief/wording.ts"
import { TODAY } from "../given.ts"

const read = (brief: string) => readBrief(brief, TODAY, () => false)
const said = (brief: string) => understood(read(brief)) as Record<string, unknown>

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
  ["audio, no podcasts", ["podcast", "streaming_audio", "radio"]],
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
])("%s: countries", (brief, countries) => {
  expect(said(brief)["countries"]).toEqual(countries)
})

test.each(["Please contact us about IT managers", "Let us talk about AI", "TV and PR", "Lets go"])(
  "%s: names no country",
  (brief) => {
    expect(said(brief)["countries"]).toBeUndefined()
  },
)

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
  ["moins de mille euros pour 800 euros", { max: 800, currencies: ["EUR"] }],
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
    unwanted_channels: ["display", "email"],
  })
  expect(said("Germany but not Austria")).toMatchObject({ countries: ["DE"], unwanted_countries: ["AT"] })
})

test("a summary says all of it in a sentence", () => {
  expect(summarize(read("Podcast host-read for a new running shoe in Germany, 1,500 to 2,000 EUR, next March"))).toBe(
    "podcast; Germany; 1,500 to 2,000 EUR; March 2027; host-read; about running and fashion; words: running and shoe",
  )
  expect(summarize(read("what do you have?"))).toBe("")
})
