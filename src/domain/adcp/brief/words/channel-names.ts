import { type Language, languages } from "./languages.ts"

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
