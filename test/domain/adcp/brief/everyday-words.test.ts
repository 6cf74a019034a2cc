import { expect, test } from "bun:test"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"

const carriers = {
  en: ["We are planning something about {} for the next season.", "we would like {} please, for all of our clients"],
  de: ["Wir planen für die nächste Saison etwas zu {}.", "wir hätten gern {} für alle unsere kunden"],
  fr: ["Nous préparons quelque chose sur {} pour la saison prochaine.", "nous aimerions {} pour tous nos clients"],
  es: ["Preparamos algo sobre {} para la próxima temporada.", "queremos {} para todos nuestros clientes"],
} as const
const languages = Object.keys(carriers) as (keyof typeof carriers)[]

// Where a country would be one.
const places = {
  en: "a podcast in {}",
  de: "ein Podcast in {}",
  fr: "un podcast en {}",
  es: "un podcast en {}",
} as const

// Two letters, of which most are the code of a country and many are words, in any of the languages.
const letters = Array.from({ length: 676 }, (_, i) => String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26)))

// What begins, ends or sounds like a channel, a country or an amount.
const lookalikes = {
  en: "polish march may turkeys china's georgian chile chilli jordans printed printer mailbox mailed screens screening posted postal streamed searching displayed showed paper papers letter million hundred cheap free thousands",
  de: "druck drucker post posten schirm bildschirm brief briefe sendung suche gesucht plakativ marken mali kuba türen polen türkis million hundert frei günstig tausende kosten",
  fr: "imprimer imprimé lettre courrier écran poste affichée recherche diffusé marque malien suissesse belgique polonaise million cent gratuit milliers pays",
  es: "imprimir impreso carta correo pantalla puesto buscar cartelera marcas chileno perú cubano turco polaco millón cien gratis miles países",
} as const

test.each(languages)("%s: two small letters are a word, and no country, but for the uk", (language) => {
  const isCountry = (word: string) => readBrief(places[language].replace("{}", word)).countries.length > 0
  expect(letters.filter((word) => word !== "uk" && isCountry(word))).toEqual([])
})

test.each(languages)("%s: an everyday word is no channel and no amount", (language) => {
  const wrong = lookalikes[language].split(" ").flatMap((word) =>
    carriers[language].flatMap((carrier) => {
      const { channels, budget, prices } = readBrief(carrier.replace("{}", word))
      const isAmount = (budget ?? prices.cpm ?? prices.cpc) !== undefined
      return channels.length > 0 || isAmount ? [{ word, channels, budget, prices }] : []
    }),
  )
  expect(wrong).toEqual([])
})
