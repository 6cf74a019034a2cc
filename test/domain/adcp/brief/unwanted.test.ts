import { expect, setDefaultTimeout, test } from "bun:test"
import { getProducts } from "../../../../src/domain/adcp/tools/get-products.ts"
import type { View } from "../../../../src/domain/adcp/visibility.ts"
import { ask, givenProduct, givenView } from "../given.ts"
import type { Json } from "../schema/answers.ts"

setDefaultTimeout(120_000)

// What a buyer does not want, {x}, beside what is wanted, {y}, as nine languages say it. {xx} are two things that are not wanted.

const templates: Record<string, string> = {
  en: "{y}, no {x} | {y} but not {x} | {y} without {x} | {y}, we don't want {x} | {y}, {x} excluded | {y}; anything but {x} | {y}, except {x} | avoid {x}; {y} | not {x} but {y} | we want {y} rather than {x} | skip {x}, we want {y} | {y}. {x}: out of the question | neither {xx nor}: {y} | {y}; no {xx or} | please exclude {xx and}. {y} | {y}. Nothing to do with {x}, please",
  de: "{y}, keine {x} | {y}, aber nicht {x} | {y} ohne {x} | {y}; alles außer {x} | {y}, {x} ausgeschlossen | {y}. {x} kommen nicht in Frage | nicht {x}, sondern {y} | {y}, bitte nicht: {x} | {y} statt {x} | weder {xx noch}; {y} | keine {xx oder}; {y} | {y}; auf {x} verzichten wir | {y}. {x} brauchen wir nicht | {y}, {x} ausgenommen | Wir wollen keine {x}; {y}",
  fr: "{y}, pas de {x} | {y}, mais pas {x} | {y} sans {x} | {y} ; tout sauf {x} | {y}, {x} exclus | {y}, hors {x} | nous ne voulons pas de {x} ; {y} | éviter {x} ; {y} | pas {x} mais {y} | {y} plutôt que {x} | ni {xx ni} ; {y} | pas de {xx ni} : {y} | {y}, à l'exception de {x} | {y}. À éviter : {x}",
  es: "{y}, nada de {x} | {y}, pero no {x} | {y} sin {x} | {y}; todo menos {x} | {y}, {x} excluidos | {y}, excepto {x} | {y}, salvo {x} | no queremos {x}; {y} | evitar {x}; {y} | no {x} sino {y} | {y} en vez de {x} | ni {xx ni}; {y} | {y}. {x} no",
  nl: "{y}, geen {x} | {y}, maar niet {x} | {y} zonder {x} | {y}; alles behalve {x} | {y}, {x} uitgesloten | vermijd {x}; {y} | niet {x} maar {y} | {y} in plaats van {x} | geen {xx of}; {y} | {y}. {x} willen we niet",
  sv: "{y}, inga {x} | {y}, men inte {x} | {y} utan {x} | {y}; allt utom {x} | {y}, {x} uteslutna | undvik {x}; {y} | inte {x} men {y} | {y} istället för {x} | varken {xx eller}; {y} | {y}. {x} vill vi inte ha",
  da: "{y}, ingen {x} | {y}, men ikke {x} | {y} uden {x} | {y}; alt undtagen {x} | {y}, {x} udelukket | undgå {x}; {y} | ikke {x} men {y} | {y} i stedet for {x} | hverken {xx eller}; {y} | {y}. {x} vil vi ikke have",
  nb: "{y}, ingen {x} | {y}, men ikke {x} | {y} uten {x} | {y}; alt unntatt {x} | {y}, {x} utelukket | unngå {x}; {y} | ikke {x} men {y} | {y} i stedet for {x} | verken {xx eller}; {y} | {y}. {x} vil vi ikke ha",
  fi: "{y}, ei {x} | {y}, mutta ei {x} | {y} ilman {x} | {y}; kaikki paitsi {x} | {y}, {x} poissuljettu | vältä {x}; {y} | ei {x} vaan {y} | {y}, muut kuin {x} | ei {xx eikä}; {y} | {y}. {x} emme halua",
}

// The same words in one order: podcast, radio, email, display, cinema, dooh; then topics; then countries.
const channels: Record<string, string> = {
  en: "podcasts, radio, newsletters, banners, cinema, digital out of home",
  de: "Podcasts, Radio, Newsletter, Banner, Kino, digitale Außenwerbung",
  fr: "podcasts, radio, newsletters, bannières, cinéma, affichage digital",
  es: "podcasts, radio, boletines, banners, cine, pantallas",
  nl: "podcasts, radio, nieuwsbrieven, banners, bioscoop, schermen",
  sv: "poddar, radio, nyhetsbrev, banner, bioreklam, skärmar",
  da: "podcasts, radio, nyhedsbreve, bannere, biograf, skærme",
  nb: "podkaster, radio, nyhetsbrev, bannere, kino, skjermer",
  fi: "podcasteja, radiota, uutiskirjeitä, bannereita, elokuvateatteria, näyttöjä",
}
const channelIds = "podcast radio email display cinema dooh".split(" ")

const topics: Record<string, string> = {
  en: "football, true crime, travel, politics, gaming, food",
  de: "Fußball, True Crime, Reisen, Politik, Gaming, Essen",
  fr: "football, true crime, voyages, actualités, jeux vidéo, cuisine",
  es: "fútbol, true crime, viajes, noticias, videojuegos, cocina",
  nl: "voetbal, true crime, reizen, nieuws, games, eten",
  sv: "fotboll, true crime, resor, nyheter, spel, matlagning",
  da: "fodbold, true crime, rejser, nyheder, gaming, madlavning",
  nb: "fotball, true crime, reiser, nyheter, gaming, matlaging",
  fi: "jalkapalloa, true crime, matkailua, uutisia, pelejä, ruokaa",
}
const topicNames = "football, true crime, travel, news, gaming, cooking".split(", ")

const countries: Record<string, string> = {
  en: "Germany, Austria, France, Spain, Sweden",
  de: "Deutschland, Österreich, Frankreich, Spanien, Schweden",
  fr: "Allemagne, Autriche, France, Espagne, Suède",
  es: "Alemania, Austria, Francia, España, Suecia",
  nl: "Duitsland, Oostenrijk, Frankrijk, Spanje, Zweden",
  sv: "Tyskland, Österrike, Frankrike, Spanien, Sverige",
  da: "Tyskland, Østrig, Frankrig, Spanien, Sverige",
  nb: "Tyskland, Østerrike, Frankrike, Spania, Sverige",
  fi: "Saksa, Itävalta, Ranska, Espanja, Ruotsi",
}
const countryCodes = "DE AT FR ES SE".split(" ")

interface Case {
  readonly brief: string
  readonly wanted: string
  readonly unwanted: readonly string[]
}

/** Every template with every pair of words; the third word joins the first where two are not wanted. */
function casesOf(language: string, words: readonly string[], ids: readonly string[]): Case[] {
  return (templates[language] ?? "").split(" | ").flatMap((template) =>
    words.flatMap((x, at) =>
      words.flatMap((y, other): Case[] => {
        const next = (Math.max(at, other) + 1) % words.length
        if (at === other || next === at || next === other) return []
        const isTwo = template.includes("{xx ")
        const brief = template
          .replace(/\{xx (\S+)\}/, (_, or) => `${x} ${or} ${words[next]}`)
          .replaceAll("{x}", x)
          .replace("{y}", y)
        return [
          { brief, wanted: ids[other] ?? "", unwanted: isTwo ? [ids[at] ?? "", ids[next] ?? ""] : [ids[at] ?? ""] },
        ]
      }),
    ),
  )
}

const praise =
  /mention|erwähn|menc|noem|nämn|nævn|nevn|mainits|available|verfügbar|disponible|beschikbaar|finns i|fås i|saatavilla/

/** What is wrong with the answer: the unwanted among the others or praised, or the wanted not first. */
function wrongIn(products: Json[], { wanted, unwanted }: Case): string[] {
  const ids: string[] = products.map(({ product_id }) => product_id)
  const last = ids.slice(ids.length - unwanted.length)
  const excluded = products.filter(({ product_id }) => unwanted.includes(product_id))
  return [
    ...(ids[0] === wanted ? [] : [`first is ${ids[0]}`]),
    ...unwanted.filter((id) => !last.includes(id)).map((id) => `${id} is not last`),
    ...excluded.flatMap(({ brief_relevance: reason = "" }) => (reason === "" ? ["nothing is said"] : [])),
  ]
}

function failuresOf(view: View, cases: readonly Case[]): string[] {
  return cases.flatMap((each) => {
    // Not checked against the schema, as there are thousands.
    const { payload } = getProducts(view, { brief: each.brief, pagination: { max_results: 50 } })
    const { products } = JSON.parse(JSON.stringify(payload)) as Json
    const wrong = wrongIn(products, each)
    return wrong.length === 0 ? [] : [`${each.brief} -> ${wrong.join(", ")}`]
  })
}

const languages = Object.keys(templates)

test.each(languages)("%s: a channel that is not wanted comes last, and the wanted one first", (language) => {
  const view = givenView(channelIds.map((id) => givenProduct(id, { channels: [id], name: "A", description: "B" })))
  const cases = casesOf(language, (channels[language] ?? "").split(", "), channelIds)
  expect(cases.length).toBeGreaterThan(100)
  expect(failuresOf(view, cases)).toEqual([])
})

test.each(languages)("%s: a topic that is not wanted comes last, and the wanted one first", (language) => {
  const ids = topicNames.map((name) => name.replace(" ", "-"))
  const view = givenView(
    ids.map((id, at) =>
      givenProduct(id, { channels: ["podcast"], name: `All about ${topicNames[at]}`, description: "A show" }),
    ),
  )
  expect(failuresOf(view, casesOf(language, (topics[language] ?? "").split(", "), ids))).toEqual([])
})

test.each(languages)("%s: a country that is not wanted comes last, and the wanted one first", (language) => {
  const opened = Object.fromEntries(countryCodes.map((code) => [code, [code]]))
  const view = givenView(
    countryCodes.map((id) => givenProduct(id, { channels: ["podcast"], name: "A", description: "B" })),
    opened,
  )
  expect(failuresOf(view, casesOf(language, (countries[language] ?? "").split(", "), countryCodes))).toEqual([])
})

test.each([
  "not only podcasts but also radio",
  "not just podcasts",
  "nothing but podcasts",
  "podcasts are not excluded",
  "don't leave out podcasts",
  "nicht nur Podcasts",
  "Podcasts sind nicht ausgeschlossen",
  "nichts als Podcasts",
  "nur Podcasts",
  "non seulement des podcasts",
  "rien que des podcasts",
  "no sólo podcasts",
  "nada más que podcasts",
  "niet alleen podcasts",
  "inte bara poddar",
  "ikke kun podcasts",
  "ikke bare podkaster",
  "ei vain podcasteja",
  "No. 1 podcast",
  "podcasts without pop-ups",
  "Podcasts ohne Mindestbuchung",
  "no matter which podcast",
])("%s: is wanted", (brief) => {
  const view = givenView(channelIds.map((id) => givenProduct(id, { channels: [id], name: "A", description: "B" })))
  expect(ask(view, { brief }).products[0].product_id).toBe("podcast")
})

test.each([
  ["Podcasts: no. Radio: yes", "podcast"],
  ["no pushy or loud radio", "radio"],
  ["no radio and true crime", "radio crime"],
  ["no radio, cinema or newsletters", "radio cinema email"],
  ["no radio in Austria", "radio"],
  ["no radio but true crime", "radio"],
  ["radio at 25 EUR, not more", ""],
  ["no more than 25 EUR for radio", ""],
  ["radio in SE, NO, DK", ""],
])("%s: of all, only “%s” is not wanted", (brief, unwanted) => {
  const view = givenView([
    ...channelIds.map((id) => givenProduct(id, { channels: [id], name: "A", description: "B" })),
    givenProduct("crime", { channels: ["ctv"], name: "True crime", description: "Cases" }),
  ])
  const ruledOut = ask(view, { brief, pagination: { max_results: 50 } }).products.filter(
    ({ brief_relevance: reason = "" }: Json) => reason.includes("which you do not want"),
  )
  expect(ruledOut.map(({ product_id }: Json) => product_id).sort()).toEqual(unwanted.split(" ").filter(Boolean).sort())
})

test("what is not wanted together is not wanted only together", () => {
  const view = givenView([
    givenProduct("crime-podcast", { channels: ["podcast"], name: "True crime", description: "Cases" }),
    givenProduct("crime-tv", { channels: ["ctv"], name: "True crime", description: "Cases" }),
    givenProduct("food-podcast", { channels: ["podcast"], name: "Cooking", description: "Recipes" }),
  ])
  const { products } = ask(view, { brief: "no true crime podcasts" })
  expect(products.at(-1)?.product_id).toBe("crime-podcast")
  expect(products.at(-1)?.brief_relevance).toBe("It mentions “True crime”, which you do not want.")
  expect(products[0].brief_relevance).toBeUndefined()
})

test("what is ruled out is said, and nothing good of it", () => {
  const view = givenView([
    givenProduct("p", { channels: ["podcast"], name: "Running", description: "Runners" }),
    givenProduct("r", { channels: ["radio"] }),
  ])
  const { products } = ask(view, { brief: "radio for runners, no podcasts" })
  expect(products[1].brief_relevance).toBe("It is a podcast, which you do not want.")
  expect(products[1].brief_relevance).not.toMatch(praise)
})

test.each([
  ["France, podcasts exceptés", "Cette offre est un podcast, ce que vous ne voulez pas."],
  ["Podcasts lehnen wir ab", "Das Angebot ist ein Podcast, und das möchten Sie nicht."],
  ["los podcasts no, gracias", "Esta oferta es un podcast, que usted no quiere."],
  ["geen podcasts, graag", "Dit aanbod is een podcast, en dat wilt u niet."],
  ["inga poddar, tack", "Erbjudandet är en podd, vilket ni inte vill ha."],
  ["ei podcasteja, kiitos", "Tarjous on podcast, jota ette halua."],
  ["I wouldn't touch podcasts", "It is a podcast, which you do not want."],
])("%s: the reason is in the language of the brief", (brief, reason) => {
  const view = givenView([givenProduct("p", { channels: ["podcast"], name: "A", description: "B" })])
  expect(ask(view, { brief }).products[0].brief_relevance).toBe(reason)
})

test("a word that only looks like a month tells no season", () => {
  const view = givenView([givenProduct("p", { name: "Recettes du marché", description: "B", channels: ["radio"] })])
  expect(ask(view, { brief: "radio, semaine 50" }).products[0].brief_relevance).toBe("Cette offre est de la radio.")
})
