import { fold, Phrases, type Token, wordSet } from "./tokens.ts"

// Channels by the names that mean nothing else, in four languages. Several before the colon: any of them will do.
const rows = [
  "podcast: podcast, podcasts, pódcast, pódcasts, podcasting, podcastwerbung, balado",
  "radio: radio, radios, hörfunk, fm radio, radiospot, radiowerbung, radiosender, radiophonique, cuña de radio, cuñas, emisora",
  "streaming_audio: streaming audio, audio streaming, streamed audio, web radio, webradio, online radio, internet radio, digital audio, music streaming, musikstreaming, audio digital, audio numérique, radio en línea, radio online",
  "podcast streaming_audio radio: audio, audiowerbung, audio ads",
  "ctv: ctv, connected tv, smart tv, smarttv, connected television, streaming tv, tv streaming, ott, télévision connectée, télé connectée, tv connectée, televisión conectada, tele conectada, tv conectada, tvs conectadas, televisores conectados, fernseher mit internet, addressable tv",
  "linear_tv: linear tv, linear television, broadcast tv, broadcast television, lineares fernsehen, lineares tv, linearem fernsehen, linearen fernsehen, linear fernsehen, télévision linéaire, tv linéaire, televisión lineal, tv lineal, free tv",
  "ctv linear_tv: tv, television, fernsehen, fernsehspot, fernsehwerbung, télé, télévision, tele, televisión, tvspot",
  "olv: online video, olv, online videos, video ads, instream, in stream, onlinevideo, video en ligne, vidéo en ligne, vídeo en línea, video online, vídeo online, youtube, instream video, bewegtbild online, vidéo instream",
  "olv ctv: video, videos, vidéo, vidéos, vídeo, vídeos, bewegtbild, videowerbung, videokampagne",
  "dooh: dooh, digital out of home, digital outdoor, digital billboards, digital billboard, digital screens, digital signage, digitale außenwerbung, digitale plakate, digitale stelen, digitale screens, digitale bildschirme, bildschirme, bildschirm, affichage numérique, affichage digital, écrans numériques, écrans digitaux, écrans, pantallas digitales, pantallas, exterior digital, publicidad exterior digital, mupis digitales, screens, infoscreen, infoscreens",
  "ooh: ooh, billboard, billboards, poster, posters, plakat, plakate, plakaten, plakatwerbung, großfläche, großflächen, city light poster, affiche, affiches, affichage, abribus, panneau publicitaire, panneaux publicitaires, valla, vallas, carteles, cartelería, marquesina, marquesinas, mupi, mupis, bus shelter, bus shelters, hoarding, hoardings",
  "ooh dooh: out of home, out-of-home, outdoor advertising, außenwerbung, publicidad exterior, publicité extérieure",
  "email: newsletter, newsletters, newslettern, email, emails, e mail, e mails, e mailing, emailing, mailing, mailings, boletín, boletines, correo electrónico, infolettre, courriel",
  "display: display, display ads, displaywerbung, displayanzeigen",
  "social: social, social media, social ads, soziale medien, sozialen medien, soziale netzwerke, sozialen netzwerken, réseaux sociaux, redes sociales, instagram, tiktok, facebook, snapchat, linkedin, pinterest, story ads, rrss",
  "influencer: influencer, influencers, influencern, influencermarketing, influenceur, influenceurs, influenceuse, influenceuses, influenciador, influenciadores, content creator, content creators, creatorin, creator, creators, créateur de contenu, créatrice, créateurs de contenu, creador de contenido, creadores de contenido",
  "gaming: gaming, in game, ingame, in game ads, in game advertising, gaming ads, rewarded video, rewarded videos, ingame werbung, publicité in game, vidéo récompensée",
  "retail_media: retail media, sponsored products, sponsored product, gesponserte produkte, produits sponsorisés, productos patrocinados, retail medias",
  "search: paid search, search ads, search engine advertising, suchmaschinenwerbung, suchanzeigen, publicité search, publicidad en buscadores, google ads",
  "cinema: cinema, cinemas, kino, kinos, kinowerbung, kinospot, cinéma, cinémas, cine, cines, movie theater, movie theaters, movie theatre, salles de cinéma, salas de cine",
  "print: print, print ad, print ads, printanzeige, printanzeigen, magazine, magazines, magazin, zeitschrift, zeitschriften, presse écrite, magazine papier, revista, revistas, prensa, prensa escrita, printwerbung, presse, newspaper ad, newspaper ads, zeitungsanzeige, zeitungsanzeigen, fachzeitschrift, printmagazin",
  "affiliate: affiliate, affiliates, affiliation, affiliate marketing, afiliación, marketing de afiliación",
  "product_placement: product placement, produktplatzierung, placement de produit, emplazamiento de producto",
  "sponsored_intelligence: ai answers, ai assistants, ki antworten, chatbot ads",
]

// Names that have one of the above in them and mean something else; and formats, which are less than their channel.
const others =
  "display case, display cases, radio station app, tv set, tv sets, tv series, tv serie, série tv, serie de tv, podcast host, podcast hosts, social club, social worker, social impact, social security, email address, email adresse, poster child, screen time, magazine rack, video call, video calls, video conferencing, videokonferenz, visioconférence, videollamada, print shop, printing, sea level, im presse, poster frame, social distancing"
const banners =
  "banner, banners, bannern, bannerwerbung, banner ads, banner ad, leaderboard, skyscraper, mpu, bannière, bannières, habillage, werbebanner, displaybanner, display banner, display banners"

interface ChannelName {
  readonly channels: readonly string[]
  /** Banners are a format, and less than all that is display. */
  readonly isFormat: boolean
}

let phrases: Phrases<ChannelName> | undefined
const byWord = new Map<string, ChannelName>()

function loaded(): Phrases<ChannelName> {
  if (phrases !== undefined) return phrases
  phrases = new Phrases()
  const add = (names: string, channels: readonly string[], isFormat = false) => {
    for (const name of names.split(",")) {
      const value = { channels, isFormat }
      phrases?.add(name, value)
      if (channels.length > 0) byWord.set(fold(name.trim()), value)
    }
  }
  add(others, [])
  add(banners, ["display"], true)
  for (const row of rows) {
    const [channels = "", names = ""] = row.split(": ")
    add(names, channels.split(" "))
  }
  return phrases
}

// After a channel, these make no new one: "Radiospots", "Kinokampagne".
const UNIT =
  /^s?(?:spots?|werbung|kampagnen?|anzeigen?|formate?n?|platzierung(?:en)?|umfeld(?:er)?n?|sponsoring|inventar|plätze|flachen|motive?n?|buchung(?:en)?|magazine?n?|sender|shows?|folgen?|ads?)$/
const COMPOUND_MIN = 8

// "Social impact", "a gaming laptop": channels only where no other word follows but those of the trade.
const adjectives = new Set(["social", "gaming"])
const afterNouns = wordSet(
  "and or und oder et ou y o for in on with für im mit pour en avec para con ads ad campaign campaigns spots anzeigen kampagne kampagnen placements inventory only please brauchen is are ist sind est sont",
)
const isNoun = (next: Token | undefined) => next === undefined || next.gap !== "space" || afterNouns.has(next.word)
const owners = wordSet(
  "our my their his her unser unsere unseren unserem unserer unseres mein meine meinen notre nos mon ma nuestro nuestra nuestros nuestras mi mis",
)

/** The channel that is named at a place, and how many words name it. No channels: the words mean something else. */
export function channelAt(
  tokens: readonly Token[],
  at: number,
): (ChannelName & { readonly length: number }) | undefined {
  const named = loaded().at(tokens, at)
  // The buyer's own podcast is what is advertised, not where.
  if (tokens[at]?.gap === "space" && owners.has(tokens[at - 1]?.word ?? "")) return undefined
  if (named !== undefined) {
    const length = named.words.length
    if (named.words[0] === "ooh" && tokens[at]?.raw !== "OOH") return undefined
    if (length === 1 && adjectives.has(named.words[0] ?? "") && !isNoun(tokens[at + 1])) return undefined
    return { ...named.value, length }
  }
  const word = tokens[at]?.word ?? ""
  if (word.length < COMPOUND_MIN) return undefined
  for (let length = 4; length <= word.length - 3; length++) {
    const value = byWord.get(word.slice(0, length))
    if (value !== undefined && UNIT.test(word.slice(length))) return { ...value, length: 1 }
  }
  return undefined
}
