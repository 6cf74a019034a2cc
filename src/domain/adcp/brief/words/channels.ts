// Channels by the names that mean nothing else, in four languages. Several before the colon: any of them will do.
const rows = `podcast: podcast*, pódcast*, balado
radio: radio, radios, hörfunk*, fm radio, radiospot*, radiowerb*, radiosend*, radiokampagn*, lokalradio*, radiophonique, cuña de radio, cuña, cuñas, emisora, emisoras
streaming_audio: streaming audio, audio streaming, streamed audio, web radio, webradio, online radio, internet radio, digital audio, music streaming, musikstreaming, audio digital, audio numérique, radio en línea, radio online
podcast streaming_audio radio: audio, audiowerb*, audiospot*, audio ads
ctv: ctv, connected tv, smart tv, smarttv, connected television, streaming tv, tv streaming, ott, télévision connectée, télé connectée, tv connectée, televisión conectada, tele conectada, tv conectada, tvs conectadas, televisores conectados, addressable tv
linear_tv: linear tv, linear television, broadcast tv, broadcast television, linear* fernsehen, lineares tv, télévision linéaire, tv linéaire, televisión lineal, tv lineal, free tv
ctv linear_tv: tv, television, fernsehen, fernsehspot*, fernsehwerb*, télé, télévision, tele, televisión, tvspot*
olv: online video*, olv, video ads, instream*, in stream, onlinevideo*, video en ligne, video en linea, video online, youtube, video, videos, bewegtbild, videowerb*, videokampagn*
dooh: dooh, digital out of home, digital outdoor, digital billboard*, digital screens, digital signage, digitale* außenwerb*, digitale* plakate*, digitale* stelen, digitale* screens, digitale* bildschirme*, affichage numérique, affichage digital, écrans numériques, pantallas digitales, exterior digital, publicidad exterior digital, mupis digitales, infoscreen*
ooh: ooh, billboard*, poster, posters, plakat*, großfläche*, city light poster*, affiche, affiches, abribus, panneau publicitaire, panneaux publicitaires, valla, vallas, carteles, cartelería, marquesina, marquesinas, mupi, mupis, bus shelter*, hoarding*
ooh dooh: affichage, out of home, outdoor advertising, außenwerb*, publicidad exterior, publicité extérieure
email: newsletter*, email, emails, e mail, e mails, e mailing, emailing, mailing, mailings, boletín, boletines, correo electrónico, infolettre*, courriel*
display: display, displaywerb*, displayanzeig*
social: social, social media, social ads, soziale* medien, soziale* netzwerke*, réseaux sociaux, redes sociales, instagram, tiktok, facebook, snapchat, linkedin, pinterest, story ads, rrss
influencer: influencer*, influenceu*, influenciador*, content creator*, creatorin, creator, creators, créateur de contenu, créatrice*, créateurs de contenu, creador de contenido, creadora, creadores de contenido
gaming: gaming, in game, ingame, rewarded video*, vidéo récompensée, vidéo avec récompense, vídeo recompensado
retail_media: retail media*, sponsored product*, gesponserte produkte, produits sponsorisés, productos patrocinados
search: paid search, search ads, search engine advertising, suchmaschinenwerb*, suchanzeigen, publicité search, publicidad en buscadores, google ads
cinema: cinema, cinemas, kino, kinos, kinowerb*, kinospot*, kinokampagn*, cine, cines, movie theater*, movie theatre*
print: print, on paper, newsprint, gedruckt*, gedruckte anzeigen, presse papier, en papel, medios impresos, printanzeig*, printwerb*, printmagazin*, magazine, magazines, magazin, zeitschrift*, presse, presse écrite, revista, revistas, prensa, newspaper, newspapers, zeitung, zeitungen, tageszeitung, tageszeitungen, zeitungsanzeig*, journaux, periódico, periódicos, fachzeitschrift*
affiliate: affiliate*, affiliation, afiliación
product_placement: product placement, produktplatzierung*, placement de produit, emplazamiento de producto
sponsored_intelligence: ai answers, ai assistants, ki antworten, chatbot ads`

export const channelRows = rows.split("\n").map((row) => {
  const [channels = "", names = ""] = row.split(": ")
  return [channels.split(" "), names] as const
})

/** Names that have one of the above in them and mean something else. */
export const noChannels =
  "amateur radio, ham radio, radio amateur*, radio ham*, display case, display cases, tv set, tv sets, tv series, tv serie, série tv, serie de tv, social club, social worker, social impact, social security, email address, email adresse, poster child, screen time, magazine rack, video game*, jeu vidéo, jeux vidéo, video call, video calls, video conferencing, videokonferenz, visioconférence, videollamada, print shop, printing, sea level, im presse, poster frame, plakativ*, social distancing"
/** A format, and less than all that is display. */
export const bannerNames =
  "banner*, leaderboard*, skyscraper*, mpu, bannière*, habillage, werbebanner*, displaybanner*, display banner*"
/** "Guaranteed" alone is said of much else. */
export const guaranteedNames =
  "guaranteed delivery, guaranteed inventory, guaranteed deals, guaranteed buys, guaranteed volume, guaranteed only, only guaranteed, buy guaranteed, garantierte lieferung, garantierte auslieferung, diffusion garantie, entrega garantizada"
export const owners =
  "our my their his her unser unsere unseren unserem unserer unseres mein meine meinen notre nos mon ma nuestro nuestra nuestros nuestras mi mis"

const names = new Map(
  "ctv: connected TV, linear_tv: linear TV, olv: online video, dooh: digital out-of-home, ooh: out-of-home, email: email newsletter, social: social media, sponsored_intelligence: sponsored AI answers"
    .split(", ")
    .map((pair) => pair.split(": ") as [string, string]),
)

/** As people call it, in English. */
export const channelName = (channel: string): string => names.get(channel) ?? channel.replaceAll("_", " ")
