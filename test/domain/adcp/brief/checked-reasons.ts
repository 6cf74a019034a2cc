import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { getProducts } from "../../../../src/domain/adcp/tools/get-products.ts"
import type { View } from "../../../../src/domain/adcp/visibility.ts"
import { givenProduct, givenView } from "../given.ts"
import type { Json } from "../schema/answers.ts"

// Holds each reason against the product it is given for, with words of its own: nothing here is taken from the reader.

export const languages = ["en", "de", "fr", "es"] as const
export type Language = (typeof languages)[number]

const channels = ["podcast", "radio", "email", "display", "ctv", "dooh", "cinema"] as const
const channelNames: Readonly<Record<Language, readonly string[]>> = {
  en: ["podcast", "radio", "email newsletter", "display", "connected TV", "digital out-of-home", "cinema"],
  de: ["Podcast", "Radio", "E-Mail-Newsletter", "Display", "Connected TV", "digitale Außenwerbung", "Kino"],
  fr: ["podcast", "radio", "newsletter", "display", "TV connectée", "affichage numérique", "cinéma"],
  es: ["podcast", "radio", "boletín por correo", "display", "televisión conectada", "exterior digital", "cine"],
}
// In the order: shown, not shown, everywhere, CPM, CPM floor, CPC, CPC floor, flat, flat floor, at least, until, mentions, unwanted,
// guaranteed.
const starts: Readonly<Record<Language, readonly string[]>> = {
  en: "shown in |not shown in |shown everywhere|CPM |CPM floor |CPC |CPC floor |flat price |flat price from |costs at least |offered until |mentions |not wanted: |guaranteed delivery".split(
    "|",
  ),
  de: "gezeigt in |nicht gezeigt in |überall gezeigt|TKP |TKP-Mindestgebot |CPC |CPC-Mindestgebot |Festpreis |Festpreis ab |kostet mindestens |angeboten bis |erwähnt |nicht gewünscht: |garantierte Auslieferung".split(
    "|",
  ),
  fr: "montré pour |pas montré pour |montré partout|CPM |CPM plancher |CPC |CPC plancher |prix forfaitaire |prix forfaitaire à partir de |coûte au moins |proposé jusqu'au |mentionne |non souhaité : |diffusion garantie".split(
    "|",
  ),
  es: "mostrado en |no mostrado en |mostrado en todas partes|CPM |CPM mínimo de subasta |CPC |CPC mínimo de subasta |precio fijo |precio fijo desde |cuesta al menos |ofrecido hasta el |menciona |no deseado: |entrega garantizada".split(
    "|",
  ),
}
const [within, above] = [
  /, (?:within|innerhalb von|dans la limite de|dentro de) /,
  /, (?:above|über|au-dessus de|por encima de) /,
]
const ALL_CODES = "DE AT CH FR BE ES GB IE US CA MX".split(" ")

export interface Asked {
  readonly brief: string
  readonly language: Language
  readonly countries: readonly string[]
  readonly channels: readonly string[]
}

/** What is false about a reason: the parts that the product does not bear out. */
export function falseParts(reason: string, product: Json, asked: Asked): string[] {
  const isOf = (language: Language) => {
    const parts = reason.replace(/\.$/, "").split("; ")
    return parts.filter((part, nth) => !isTrue(part, nth === 0, language, product, asked))
  }
  // In the language of the brief, or in English where that is not certain.
  const [own, english] = [isOf(asked.language), isOf("en")]
  return own.length <= english.length ? own : english
}

function isTrue(part: string, isFirst: boolean, language: Language, product: Json, asked: Asked): boolean {
  const text = isFirst ? [part, part.slice(0, 1).toLowerCase() + part.slice(1)] : [part]
  return text.some((each) => holds(each, language, product, asked))
}

function holds(part: string, language: Language, product: Json, asked: Asked): boolean {
  const codes: string[] = product.ext.adbooth.territories
  const kinds = starts[language]
  const named = part.split(", ").map((name) => channels[channelNames[language].indexOf(name)])
  if (named.every((channel) => channel !== undefined))
    return named.every((channel) => product.channels.includes(channel) && asked.channels.includes(channel ?? ""))
  const kind = kinds
    .map((start, nth) => (part.startsWith(start) ? nth : -1))
    .reduce(
      (best, nth) => (nth >= 0 && (best < 0 || (kinds[nth] ?? "").length > (kinds[best] ?? "").length) ? nth : best),
      -1,
    )
  const rest = part.slice((kinds[kind] ?? "").length)
  if (kind === 2) return codes.includes("*") && asked.countries.length > 0
  if (kind === 0 || kind === 1) return holdsCountries(rest, language, codes, asked, kind === 0)
  if (kind >= 3 && kind <= 9) return holdsPrice(kind, rest, language, product.pricing_options)
  if (kind === 10) return product.expires_at?.startsWith(rest)
  if (kind === 11) return holdsMentions(rest, product, asked)
  if (kind === 13) return product.delivery_type === "guaranteed" && /guarant|garant/i.test(asked.brief)
  return kind === 12 && holdsUnwanted(rest, language, product)
}

function holdsCountries(
  text: string,
  language: Language,
  codes: readonly string[],
  asked: Asked,
  isOpen: boolean,
): boolean {
  const names = new Intl.DisplayNames(language, { type: "region" })
  const said = text.replace(/ (?:and|und|et|y) \d+ (?:more|weitere|autres|más)$/, "").split(", ")
  const found = said.map((name) => ALL_CODES.find((code) => names.of(code) === name))
  return found.every(
    (code) =>
      code !== undefined && asked.countries.includes(code) && (codes.includes("*") || codes.includes(code)) === isOpen,
  )
}

const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-6
const numberIn = (text: string, language: Language) => {
  const decimal = language === "en" ? "." : ","
  const plain = text.replace(/ [A-Z]{3}$/, "").replace(decimal === "." ? /,/g : /[.\s\u00a0\u202f]/g, "")
  return Number(plain.replace(",", "."))
}

function holdsPrice(kind: number, text: string, language: Language, options: Json[]): boolean {
  const sides = within.test(text) ? text.split(within) : text.split(above)
  const [amount, limit] = sides.map((side) => numberIn(side, language)) as [number, number]
  const currency = text.slice(-3)
  if (sides.length !== 2 || Number.isNaN(amount) || amount <= limit !== within.test(text)) return false
  return options.some((option) => {
    if (option.currency !== currency) return false
    const price = option.fixed_price ?? option.floor_price
    const isFloor = option.fixed_price === undefined
    const model = kind < 5 ? "cpm" : kind < 7 ? "cpc" : "flat_rate"
    if (kind === 9)
      return isSame(
        amount,
        Math.max(
          option.min_spend_per_package ?? 0,
          option.pricing_model === "flat_rate"
            ? price
            : option.pricing_model === "time"
              ? price * (option.parameters.min_duration ?? 1)
              : 0,
        ),
      )
    return option.pricing_model === model && amount === price && isFloor === (kind === 4 || kind === 6 || kind === 8)
  })
}

const plain = (text: string) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss")
const quotesIn = (text: string) => [...text.matchAll(/[“„«]\s?([^“”„»«]+?)\s?[”“»]/g)].map(([, word = ""]) => word)

/** The product has the very word, does not deny it, and the brief has it but for its ending. */
function holdsMentions(text: string, product: Json, asked: Asked): boolean {
  const own = `${product.name} ${product.description}`
  const words = plain(asked.brief).split(/[^\p{L}\p{N}]+/u)
  const quotes = quotesIn(text)
  return (
    quotes.length > 0 &&
    quotes.every((quote) => {
      const parts = plain(quote).split(/[^\p{L}\p{N}]+/u)
      const isAsked = parts.some((part) => words.some((word) => isForm(word, part)))
      return (
        own.includes(quote) && isAsked && !new RegExp(`(?:no|ohne|sans|sin|kein|keine|not) ${quote}`, "i").test(own)
      )
    })
  )
}

function isForm(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  return short.length >= 3 && short.length - same <= 2 && long.length - same <= 3 && same >= 3
}

function holdsUnwanted(text: string, language: Language, product: Json): boolean {
  const own = `${product.name} ${product.description}`
  if (!quotesIn(text).every((quote) => own.includes(quote))) return false
  const names = text
    .replace(/[“„«][^”“»]*[”“»]/g, "")
    .split(", ")
    .map((name) => name.trim())
    .filter(Boolean)
  return names.every((name) => {
    const channel = channels[channelNames[language].indexOf(name)]
    if (channel !== undefined) return isDeepStrictEqual(product.channels, [channel])
    if (/^(?:banners only|nur Banner|bannières seulement|solo banners)$/.test(name))
      return product.format_ids.every(({ id }: Json) => id.startsWith("display_"))
    if (/^(?:sold by auction|per Auktion verkauft|vendu aux enchères|vendido por subasta)$/.test(name))
      return product.pricing_options.every(({ fixed_price }: Json) => fixed_price === undefined)
    return /^(?:shown only in|nur in|montré seulement pour|mostrado solo en)/.test(name)
  })
}

// Words that mislead: what sells spots, where and when is not what they are about.
const sayings = {
  en: [
    "Run of station, at any hour.",
    "Recorded spots, no host-read.",
    "Marathon training and gardening.",
    "One weekend, open to all.",
    "Vegetarian recipes for families.",
    "On the home page, digital plan.",
    "Beekeeping for beginners, without sponsors.",
  ],
  de: [
    "Kochen und Rezepte für jeden Tag.",
    "Wandern in den Alpen, ohne Werbepause.",
    "Bienenzucht und Imkerei.",
    "Ein offenes Haus am Wochenende.",
    "Spielplätze und Kindergärten.",
    "Kein Fußball, nur Handball.",
  ],
  fr: [
    "Récits de voyage et randonnée.",
    "À sept heures, la matinale.",
    "Apiculture et jardinage.",
    "Des idées pour les ans à venir.",
    "Sans football, avec du rugby.",
  ],
  es: [
    "Noticias del día y senderismo.",
    "Apicultura y jardinería en casa.",
    "La gente que viaja el fin de semana.",
    "Sin fútbol, solo balonmano.",
    "Recetas vegetarianas.",
  ],
} as const
const wishes: Readonly<
  Record<Language, Readonly<Record<"channel" | "country" | "plain", readonly (readonly [string, string])[]>>>
> = {
  en: {
    channel: [
      ["podcasts", "podcast"],
      ["radio", "radio"],
      ["newsletters", "email"],
      ["connected TV", "ctv"],
      ["cinema", "cinema"],
      ["display", "display"],
    ],
    country: [
      ["in Germany", "DE"],
      ["in France", "FR"],
      ["for the UK", "GB"],
      ["in Spain", "ES"],
    ],
    plain: [
      ["for people who like gardening", ""],
      ["about beekeeping", ""],
      ["host-read please", ""],
      ["one weekend", ""],
      ["we plan to open a shop", ""],
      ["families", ""],
      ["no football", ""],
      ["no auctions", ""],
      ["guaranteed delivery", ""],
      ["marathon runners", ""],
    ],
  },
  de: {
    channel: [
      ["Podcasts", "podcast"],
      ["Radio", "radio"],
      ["Newsletter", "email"],
      ["Connected TV", "ctv"],
      ["Kino", "cinema"],
      ["Display", "display"],
    ],
    country: [
      ["in Deutschland", "DE"],
      ["in Frankreich", "FR"],
      ["in Österreich", "AT"],
      ["in Spanien", "ES"],
    ],
    plain: [
      ["für Leute, die gern wandern", ""],
      ["rund um Imkerei", ""],
      ["am Wochenende", ""],
      ["kein Fußball", ""],
      ["keine Auktionen", ""],
      ["garantierte Lieferung", ""],
      ["mit Rezepten", ""],
      ["das Haus ist offen", ""],
      ["für Handball", ""],
    ],
  },
  fr: {
    channel: [
      ["des podcasts", "podcast"],
      ["de la radio", "radio"],
      ["des newsletters", "email"],
      ["la TV connectée", "ctv"],
      ["le cinéma", "cinema"],
      ["du display", "display"],
    ],
    country: [
      ["en Allemagne", "DE"],
      ["en France", "FR"],
      ["en Belgique", "BE"],
      ["en Espagne", "ES"],
    ],
    plain: [
      ["pour les amateurs de randonnée", ""],
      ["autour de l'apiculture", ""],
      ["à sept heures", ""],
      ["pas de football", ""],
      ["pas d'enchères", ""],
      ["diffusion garantie", ""],
      ["depuis dix ans", ""],
      ["pour du rugby", ""],
    ],
  },
  es: {
    channel: [
      ["podcasts", "podcast"],
      ["radio", "radio"],
      ["boletines", "email"],
      ["televisión conectada", "ctv"],
      ["cine", "cinema"],
      ["display", "display"],
    ],
    country: [
      ["en Alemania", "DE"],
      ["en Francia", "FR"],
      ["en México", "MX"],
      ["en España", "ES"],
    ],
    plain: [
      ["para quien hace senderismo", ""],
      ["sobre apicultura", ""],
      ["el fin de semana", ""],
      ["nada de fútbol", ""],
      ["sin subastas", ""],
      ["entrega garantizada", ""],
      ["para la gente de aquí", ""],
      ["de balonmano", ""],
    ],
  },
}
const money: Readonly<Record<Language, readonly string[]>> = {
  en: ["budget 3,000 EUR", "CPM up to 25 EUR", "CPC below 0.50 GBP", "at least 500 USD", "60k impressions"],
  de: ["Budget 3.000 EUR", "TKP bis 25 EUR", "Klickpreis unter 0,50 GBP", "mindestens 500 USD", "60.000 Kontakte"],
  fr: ["budget de 3 000 €", "CPM inférieur à 25 €", "CPC sous 0,50 £", "au moins 500 USD", "60 000 impressions"],
  es: [
    "presupuesto de 3.000 euros",
    "CPM hasta 25 EUR",
    "CPC por debajo de 0,50 GBP",
    "al menos 500 USD",
    "60.000 impresiones",
  ],
}
const openers: Readonly<Record<Language, string>> = {
  en: "We are looking for",
  de: "Wir suchen für unsere Marke",
  fr: "Nous cherchons pour notre marque",
  es: "Buscamos para nuestra marca",
}

const price = fc.record({
  model: fc.constantFrom("cpm", "cpc", "flat_rate", "time"),
  amount: fc.constantFrom(0.4, 12, 25, 620, 7917),
  currency: fc.constantFrom("EUR", "USD", "GBP"),
  isFloor: fc.boolean(),
  least: fc.constantFrom(undefined, 300, 2500),
  duration: fc.constantFrom(undefined, 3),
})
const offer = fc.record({
  texts: fc
    .constantFrom(...languages)
    .chain((language) => fc.array(fc.constantFrom<string>(...sayings[language]), { minLength: 1, maxLength: 3 })),
  channels: fc.uniqueArray(fc.constantFrom(...channels), { minLength: 1, maxLength: 2 }),
  format: fc.constantFrom("podcast_host_read_midroll", "video_30s_hosted", "display_300x250_image", "native_in_feed"),
  codes: fc.oneof(fc.constant(["*"]), fc.uniqueArray(fc.constantFrom(...ALL_CODES), { minLength: 1, maxLength: 4 })),
  prices: fc.array(price, { minLength: 1, maxLength: 2 }),
  delivery: fc.constantFrom("guaranteed", "non_guaranteed"),
  ends: fc.constantFrom(undefined, "2026-12-24T00:00:00Z"),
})
const asking = fc.constantFrom(...languages).chain((language) =>
  fc.record({
    language: fc.constant(language),
    channels: fc.uniqueArray(fc.constantFrom(...wishes[language].channel), { maxLength: 2 }),
    countries: fc.uniqueArray(fc.constantFrom(...wishes[language].country), { maxLength: 2 }),
    plain: fc.uniqueArray(fc.constantFrom(...wishes[language].plain), { maxLength: 2 }),
    money: fc.uniqueArray(fc.constantFrom(...money[language]), { maxLength: 2 }),
    when: fc.constantFrom("", "2027-03-01", "Q2 2027"),
  }),
)

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

/** Not checked against the schema, which other tests do: it would take longer than all else. */
const answerTo = (view: View, brief: string): Json =>
  JSON.parse(JSON.stringify(getProducts(view, { brief, pagination: { max_results: 100 } }).payload))

/** Generates markets and briefs until so many reasons were held against their products; those that do not hold. */
export function findFalse(count: number, seed: number): { readonly reasons: number; readonly failed: Json[] } {
  let reasons = 0
  const failed: Json[] = []
  for (let round = 0; reasons < count; round++) {
    const [offers] = fc.sample(fc.array(offer, { minLength: 6, maxLength: 14 }), { numRuns: 1, seed: seed + round })
    const sold = (offers ?? []).map(({ texts, channels: own, format, prices, delivery, ends }, at) =>
      givenProduct(`p${at}`, {
        name: texts[0],
        description: texts.join(" "),
        channels: own,
        delivery_type: delivery,
        format_ids: [{ id: format }],
        pricing_options: prices.map(optionOf),
        ...(ends === undefined ? {} : { expires_at: ends }),
      }),
    )
    const view = givenView(sold, Object.fromEntries((offers ?? []).map(({ codes }, at) => [`p${at}`, [...codes]])))
    for (const wish of fc.sample(asking, { numRuns: 60, seed: seed + round })) {
      const parts = [...wish.channels, ...wish.countries, ...wish.plain].map(([text]) => text)
      const brief = `${openers[wish.language]} ${[...parts, ...wish.money, wish.when].filter(Boolean).join(", ")}.`
      const asked = {
        brief,
        language: wish.language,
        countries: wish.countries.map(([, code]) => code),
        channels: wish.channels.map(([, channel]) => channel),
      }
      for (const { brief_relevance: reason, ...product } of answerTo(view, brief).products) {
        if (reason === undefined) continue
        reasons++
        const wrong = falseParts(reason, product, asked)
        if (wrong.length > 0)
          failed.push({ brief, reason, wrong, name: product.name, territories: product.ext.adbooth.territories })
      }
    }
  }
  return { reasons, failed }
}
