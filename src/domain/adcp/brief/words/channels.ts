import { type Language, languages } from "./languages.ts"
import { Phrases, type Token, wordSet } from "./tokens.ts"

// Channels by the names that mean nothing else, in four languages. Several before the colon: any of them will do.
const rows = [
  "podcast: podcast*, pódcast*, balado",
  "radio: radio, radios, hörfunk*, fm radio, radiospot*, radiowerb*, radiosend*, radiokampagn*, radiophonique, cuña de radio, cuñas, emisora",
  "streaming_audio: streaming audio, audio streaming, streamed audio, web radio, webradio, online radio, internet radio, digital audio, music streaming, musikstreaming, audio digital, audio numérique, radio en línea, radio online",
  "podcast streaming_audio radio: audio, audiowerb*, audio ads",
  "ctv: ctv, connected tv, smart tv, smarttv, connected television, streaming tv, tv streaming, ott, télévision connectée, télé connectée, tv connectée, televisión conectada, tele conectada, tv conectada, tvs conectadas, televisores conectados, addressable tv",
  "linear_tv: linear tv, linear television, broadcast tv, broadcast television, linear* fernsehen, lineares tv, télévision linéaire, tv linéaire, televisión lineal, tv lineal, free tv",
  "ctv linear_tv: tv, television, fernsehen, fernsehspot*, fernsehwerb*, télé, télévision, tele, televisión, tvspot*",
  "olv: online video*, olv, video ads, instream*, in stream, onlinevideo*, video en ligne, video en linea, video online, youtube, video, videos, bewegtbild, videowerb*, videokampagn*",
  "dooh: dooh, digital out of home, digital outdoor, digital billboard*, digital screens, digital signage, digitale außenwerbung, digitale plakate, digitale stelen, digitale screens, digitale bildschirme, affichage numérique, affichage digital, écrans numériques, pantallas digitales, exterior digital, publicidad exterior digital, mupis digitales, infoscreen*",
  "ooh: ooh, billboard*, poster, posters, plakat*, großfläche*, city light poster*, affiche, affiches, abribus, panneau publicitaire, panneaux publicitaires, valla, vallas, carteles, cartelería, marquesina, marquesinas, mupi, mupis, bus shelter*, hoarding*",
  "ooh dooh: affichage, out of home, outdoor advertising, außenwerb*, publicidad exterior, publicité extérieure",
  "email: newsletter*, email, emails, e mail, e mails, e mailing, emailing, mailing, mailings, boletín, boletines, correo electrónico, infolettre*, courriel*",
  "display: display, displaywerb*, displayanzeig*",
  "social: social, social media, social ads, soziale* medien, soziale* netzwerke*, réseaux sociaux, redes sociales, instagram, tiktok, facebook, snapchat, linkedin, pinterest, story ads, rrss",
  "influencer: influencer*, influenceu*, influenciador*, content creator*, creatorin, creator, creators, créateur de contenu, créatrice*, créateurs de contenu, creador de contenido, creadora, creadores de contenido",
  "gaming: gaming, in game, ingame, rewarded video*, vidéo récompensée",
  "retail_media: retail media*, sponsored product*, gesponserte produkte, produits sponsorisés, productos patrocinados",
  "search: paid search, search ads, search engine advertising, suchmaschinenwerb*, suchanzeigen, publicité search, publicidad en buscadores, google ads",
  "cinema: cinema, cinemas, kino, kinos, kinowerb*, kinospot*, kinokampagn*, cine, cines, movie theater*, movie theatre*",
  "print: print, printanzeig*, printwerb*, printmagazin*, magazine, magazines, magazin, zeitschrift*, presse, presse écrite, revista, revistas, prensa, newspaper, newspapers, zeitung, zeitungen, tageszeitung, tageszeitungen, zeitungsanzeig*, journaux, periódico, periódicos, fachzeitschrift*",
  "affiliate: affiliate*, affiliation, afiliación",
  "product_placement: product placement, produktplatzierung*, placement de produit, emplazamiento de producto",
  "sponsored_intelligence: ai answers, ai assistants, ki antworten, chatbot ads",
]

// Names that have one of the above in them and mean something else; and formats, which are less than their channel.
const others =
  "amateur radio, ham radio, radio amateur*, radio ham*, display case, display cases, radio station app, tv set, tv sets, tv series, tv serie, série tv, serie de tv, podcast host, podcast hosts, social club, social worker, social impact, social security, email address, email adresse, poster child, screen time, magazine rack, video game*, jeu vidéo, jeux vidéo, video call, video calls, video conferencing, videokonferenz, visioconférence, videollamada, print shop, printing, sea level, im presse, poster frame, social distancing"
const banners =
  "banner*, leaderboard*, skyscraper*, mpu, bannière*, habillage, werbebanner*, displaybanner*, display banner*"

const auctions =
  "auction, auctions, auktion, auktionen, versteigerung, versteigerungen, enchère, enchères, subasta, subastas, rtb"
// "Guaranteed" alone is said of much else.
const guaranteed =
  "guaranteed delivery, guaranteed inventory, guaranteed deals, guaranteed buys, guaranteed volume, guaranteed only, only guaranteed, buy guaranteed, garantierte lieferung, garantierte auslieferung, diffusion garantie, entrega garantizada"

/** What a product may be wholly, beside its channel. */
export type Trait = "banners" | "auction" | "guaranteed"

interface ChannelName {
  readonly channels: readonly string[]
  /** Banners are a format, and less than all that is display. */
  readonly trait?: Trait | undefined
}

let phrases: Phrases<ChannelName> | undefined

function loaded(): Phrases<ChannelName> {
  if (phrases !== undefined) return phrases
  phrases = new Phrases()
  const add = (names: string, channels: readonly string[], trait?: Trait) => {
    for (const name of names.split(",")) phrases?.add(name, { channels, trait })
  }
  add(others, [])
  add(banners, ["display"], "banners")
  add(auctions, [], "auction")
  add(guaranteed, [], "guaranteed")
  for (const row of rows) {
    const [channels = "", names = ""] = row.split(": ")
    add(names, channels.split(" "))
  }
  return phrases
}

const owners = wordSet(
  "our my their his her unser unsere unseren unserem unserer unseres mein meine meinen notre nos mon ma nuestro nuestra nuestros nuestras mi mis",
)

/** The channel that is named at a place, and how many words name it. No channels: the words mean something else. */
export function channelAt(
  tokens: readonly Token[],
  at: number,
): (ChannelName & { readonly length: number }) | undefined {
  const named = loaded().at(tokens, at)
  if (named === undefined || (named.words[0] === "ooh" && tokens[at]?.raw !== "OOH")) return undefined
  // The buyer's own podcast is what is advertised, not where.
  if (tokens[at]?.gap === "space" && owners.has(tokens[at - 1]?.word ?? "")) return undefined
  return { channels: named.value.channels, trait: named.value.trait, length: named.words.length }
}

// By language, as the languages are listed.
const order =
  "podcast streaming_audio radio ctv linear_tv olv dooh ooh email display social influencer gaming retail_media search cinema print affiliate sponsored_intelligence product_placement".split(
    " ",
  )
const names = [
  "podcast, streaming audio, radio, connected TV, linear TV, online video, digital out-of-home, out-of-home, email newsletter, display, social media, influencer, gaming, retail media, search, cinema, print, affiliate, sponsored AI answers, product placement",
  "Podcast, Streaming-Audio, Radio, Connected TV, lineares Fernsehen, Online-Video, digitale Außenwerbung, Außenwerbung, E-Mail-Newsletter, Display, Social Media, Influencer, Gaming, Retail Media, Suchwerbung, Kino, Print, Affiliate, gesponserte KI-Antworten, Produktplatzierung",
  "podcast, audio en streaming, radio, TV connectée, télévision linéaire, vidéo en ligne, affichage numérique, affichage, newsletter, display, réseaux sociaux, influence, gaming, retail media, search, cinéma, presse, affiliation, réponses d'IA sponsorisées, placement de produit",
  "podcast, audio en streaming, radio, televisión conectada, televisión lineal, vídeo en línea, exterior digital, publicidad exterior, boletín por correo, display, redes sociales, influencers, gaming, retail media, búsqueda, cine, prensa, afiliación, respuestas de IA patrocinadas, emplazamiento de producto",
].map((row) => row.split(", "))

export const channelNameIn = (language: Language, channel: string): string =>
  names[languages.indexOf(language)]?.[order.indexOf(channel)] ?? channel

export const channelName = (channel: string): string => channelNameIn("en", channel)
