import { memoize } from "../../memoize.ts"
import { channelNameIn } from "./words/channels.ts"
import type { Language } from "./words/languages.ts"

// What is said of products and briefs, in the language of the brief: first of a product, then of the brief. {0} and {1} are gaps.

const rows: Readonly<Record<Language, readonly [string, string]>> = {
  en: [
    "open=“ | close=” | shown=shown in {0} | everywhere=shown everywhere | notShown=not shown in {0} | cpm=CPM {0} | cpc=CPC {0} | cpmFloor=CPM floor {0} | cpcFloor=CPC floor {0} | flat=flat price {0} | flatFloor=flat price from {0} | least=costs at least {0} | within={0}, within {1} | above={0}, above {1} | until=offered until {0} | mentions=mentions {0} | unwanted=not wanted: {0} | banners=banners only | onlyIn=shown only in {0} | more={0} and {1} more | auction=sold by auction | guaranteed=guaranteed delivery",
    "one=1 product. | many={0} products. | part={0} products, {1} of them here. | none=None of them matches the brief. | understood=Understood: {0}. | not=not {0} | upTo=up to {0} | unsure=Not interpreted: {0}. | cut=The brief is long: only its start was read. | other=Briefs are read in English, German, French and Spanish; of this one only the words were searched. | seconds={0} seconds | order=To order, open the product's order link.",
  ],
  de: [
    "open=„ | close=“ | shown=gezeigt in {0} | everywhere=überall gezeigt | notShown=nicht gezeigt in {0} | cpm=TKP {0} | cpc=CPC {0} | cpmFloor=TKP-Mindestgebot {0} | cpcFloor=CPC-Mindestgebot {0} | flat=Festpreis {0} | flatFloor=Festpreis ab {0} | least=kostet mindestens {0} | within={0}, innerhalb von {1} | above={0}, über {1} | until=angeboten bis {0} | mentions=erwähnt {0} | unwanted=nicht gewünscht: {0} | banners=nur Banner | onlyIn=nur in {0} gezeigt | more={0} und {1} weitere | auction=per Auktion verkauft | guaranteed=garantierte Auslieferung",
    "one=1 Produkt. | many={0} Produkte. | part={0} Produkte, davon hier {1}. | none=Keines davon passt zum Briefing. | understood=Verstanden: {0}. | not=nicht {0} | upTo=bis {0} | unsure=Nicht gedeutet: {0}. | cut=Das Briefing ist lang: Nur sein Anfang wurde gelesen. | seconds={0} Sekunden | order=Zum Bestellen den Bestelllink des Produkts öffnen.",
  ],
  fr: [
    "open=«\u00a0 | close=\u00a0» | shown=montré pour {0} | everywhere=montré partout | notShown=pas montré pour {0} | cpm=CPM {0} | cpc=CPC {0} | cpmFloor=CPM plancher {0} | cpcFloor=CPC plancher {0} | flat=prix forfaitaire {0} | flatFloor=prix forfaitaire à partir de {0} | least=coûte au moins {0} | within={0}, dans la limite de {1} | above={0}, au-dessus de {1} | until=proposé jusqu'au {0} | mentions=mentionne {0} | unwanted=non souhaité : {0} | banners=bannières seulement | onlyIn=montré seulement pour {0} | more={0} et {1} autres | auction=vendu aux enchères | guaranteed=diffusion garantie",
    "one=1 produit. | many={0} produits. | part={0} produits, dont {1} ici. | none=Aucun ne correspond au brief. | understood=Compris : {0}. | not=pas {0} | upTo=jusqu'à {0} | unsure=Non interprété : {0}. | cut=Le brief est long : seul le début a été lu. | seconds={0} secondes | order=Pour commander, ouvrez le lien de commande du produit.",
  ],
  es: [
    "open=« | close=» | shown=mostrado en {0} | everywhere=mostrado en todas partes | notShown=no mostrado en {0} | cpm=CPM {0} | cpc=CPC {0} | cpmFloor=CPM mínimo de subasta {0} | cpcFloor=CPC mínimo de subasta {0} | flat=precio fijo {0} | flatFloor=precio fijo desde {0} | least=cuesta al menos {0} | within={0}, dentro de {1} | above={0}, por encima de {1} | until=ofrecido hasta el {0} | mentions=menciona {0} | unwanted=no deseado: {0} | banners=solo banners | onlyIn=mostrado solo en {0} | more={0} y {1} más | auction=vendido por subasta | guaranteed=entrega garantizada",
    "one=1 producto. | many={0} productos. | part={0} productos, {1} de ellos aquí. | none=Ninguno se ajusta al briefing. | understood=Entendido: {0}. | not=no {0} | upTo=hasta {0} | unsure=No interpretado: {0}. | cut=El briefing es largo: solo se ha leído el principio. | seconds={0} segundos | order=Para pedir, abra el enlace de pedido del producto.",
  ],
}

// Between thousands, and before what is less than one.
const marks: Readonly<Record<Language, readonly [string, string]>> = {
  en: [",", "."],
  de: [".", ","],
  fr: ["\u202f", ","],
  es: [".", ","],
}
const NAMES_MAX = 4
const REMEMBERED = 1_000

export type Reasons = ReturnType<typeof reasonsFor>

const known: Partial<Record<Language, Reasons>> = {}

/** In the language of a brief, or in English where that is not certain. */
export const reasonsIn = (language: Language = "en"): Reasons => (known[language] ??= reasonsFor(language))

function reasonsFor(language: Language) {
  // What is before, between and after the gaps.
  const texts = new Map(
    rows[language]
      .flatMap((row) => row.split(" | "))
      .map((row) => row.split(/=(.*)/s) as [string, string])
      .map(([name, text]) => [name, text.split(/\{\d\}/)]),
  )
  const say = (name: string, first = "", second = "") => {
    const [before = "", between, after] = texts.get(name) ?? []
    if (between === undefined) return before
    return after === undefined ? `${before}${first}${between}` : `${before}${first}${between}${second}${after}`
  }
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" })
  // To ask for a name takes longer than all else that is done with it.
  const nameOf = memoize(REMEMBERED, (code: string) => names.of(code) ?? code)
  const [group = "", point = ""] = marks[language]
  const number = (value: number) => {
    const [whole = "", part] = String(Math.round(value * 1000) / 1000).split(".")
    const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group)
    return part === undefined ? grouped : `${grouped}${point}${part}`
  }
  return {
    say,
    amount: (value: number, currency: string) => `${number(value)} ${currency}`,
    quoted: (words: readonly string[]) => words.map((word) => `${say("open")}${word}${say("close")}`).join(", "),
    channels: (channels: readonly string[]) => channels.map((channel) => channelNameIn(language, channel)).join(", "),
    countries: (codes: readonly string[]) => {
      const first = codes.slice(0, NAMES_MAX).map(nameOf).join(", ")
      return codes.length > NAMES_MAX ? say("more", first, String(codes.length - NAMES_MAX)) : first
    },
    sentence: (facts: readonly string[]) => {
      const text = facts.join("; ")
      return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
    },
  }
}
