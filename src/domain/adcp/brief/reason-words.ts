import type { Language } from "./words/grammar.ts"

// Reasons in the languages of briefs. A fact is what the product does, so that facts can follow one another behind one subject: "It is a
// podcast, is available in Germany and mentions …". {0}, {1} and {2} are its gaps.

type Facts = Readonly<Record<string, string>>

const channelOrder =
  "podcast streaming_audio radio ctv linear_tv olv dooh ooh email display social influencer gaming retail_media search cinema print affiliate sponsored_intelligence product_placement".split(
    " ",
  )

const channelNames: Readonly<Record<Language, string>> = {
  en: "a podcast, streaming audio, radio, connected TV, linear TV, online video, digital out-of-home, out-of-home, an email newsletter, display advertising, social media, influencer content, advertising in games, retail media, search advertising, cinema advertising, print advertising, affiliate marketing, sponsored AI answers, product placement",
  de: "ein Podcast, Streaming-Audio, Radio, Connected TV, lineares Fernsehen, Online-Video, digitale Außenwerbung, Außenwerbung, ein E-Mail-Newsletter, Display-Werbung, Social Media, Influencer-Werbung, Werbung in Spielen, Retail Media, Suchwerbung, Kinowerbung, Printwerbung, Affiliate-Marketing, gesponserte KI-Antworten, Produktplatzierung",
  fr: "un podcast, de l'audio en streaming, de la radio, de la télévision connectée, de la télévision linéaire, de la vidéo en ligne, de l'affichage numérique, de l'affichage, une newsletter, du display, du social, de l'influence, de la publicité dans les jeux, du retail media, du search, du cinéma, de la presse, de l'affiliation, des réponses d'IA sponsorisées, du placement de produit",
  es: "un podcast, audio en streaming, radio, televisión conectada, televisión lineal, vídeo en línea, exterior digital, publicidad exterior, un boletín por correo, display, redes sociales, publicidad con influencers, publicidad en juegos, retail media, búsqueda, cine, prensa, afiliación, respuestas de IA patrocinadas, emplazamiento de producto",
  nl: "een podcast, streaming audio, radio, connected tv, lineaire tv, onlinevideo, digitale buitenreclame, buitenreclame, een e-mailnieuwsbrief, display, sociale media, influencermarketing, reclame in games, retail media, zoekreclame, bioscoop, print, affiliate, gesponsorde AI-antwoorden, product placement",
  sv: "en podd, strömmad musik, radio, uppkopplad tv, linjär tv, onlinevideo, digital utomhusreklam, utomhusreklam, ett nyhetsbrev, display, sociala medier, influencermarknadsföring, reklam i spel, retail media, sökannonser, bio, print, affiliate, sponsrade AI-svar, produktplacering",
  da: "en podcast, streaming-lyd, radio, connected tv, lineært tv, onlinevideo, digital udendørsreklame, udendørsreklame, et nyhedsbrev, display, sociale medier, influencermarkedsføring, reklame i spil, retail media, søgeannoncer, biograf, print, affiliate, sponsorerede AI-svar, produktplacering",
  nb: "en podkast, strømmet lyd, radio, tilkoblet tv, lineær tv, nettvideo, digital utendørsreklame, utendørsreklame, et nyhetsbrev, display, sosiale medier, påvirkermarkedsføring, reklame i spill, retail media, søkeannonser, kino, print, affiliate, sponsede AI-svar, produktplassering",
  fi: "podcast, suoratoistoaudio, radio, verkkotelevisio, lineaarinen televisio, verkkovideo, digitaalinen ulkomainonta, ulkomainonta, uutiskirje, display, sosiaalinen media, vaikuttajamarkkinointi, pelimainonta, vähittäiskaupan media, hakumainonta, elokuvateatteri, printti, kumppanimarkkinointi, sponsoroidut tekoälyvastaukset, tuotesijoittelu",
}

const rows: Readonly<Record<Language, string>> = {
  en: `it=It {0} | but=But it {0} | and=and | or=or | openQuote=“ | closeQuote=” | more={0} and {1} more
is=is {0} | isNot=is {0} rather than {1} | noChannel=names no channel (you ask for {0})
open=is available in {0} | notOpen=is not available in {0} | onlyIn=is available only in {0}, which you leave out | everywhere=is available everywhere
mentions=mentions {0} | offers=offers {0} | unwantedIs={0}, which you do not want | unwantedWords=mentions {0}, which you do not want | unwantedOffers=offers {0}, which you do not want
upTo=up to {0} | seconds=takes spots of {0} seconds | otherSeconds=takes spots of {0} seconds (not {1}) | size=takes {0} | otherSize=does not take {0}
currency=is priced in {0} (not in {1}) | noMinimum=has no minimum spend | flat=costs {0} in all | minimum=costs at least {0} | hour=costs {0} an hour | day=costs {0} a day | week=costs {0} a week | month=costs {0} a month | costs=has a {0} of {1}
withinBudget={0} (within your budget) | overBudget={0} (above your budget of {1}) | withinLimit={0} (within your limit of {1}) | overLimit={0} (above your limit of {1})
model=is priced by {0} | flatRate=flat rate | guaranteed=guarantees delivery | auction=does not guarantee delivery | until=is offered only until {0} | inSeason=is meant for that time of the year | outOfSeason=is meant for another time of the year`,
  de: `it=Das Angebot {0} | but=Aber das Angebot {0} | and=und | or=oder | openQuote=„ | closeQuote=“ | more={0} und {1} weitere
is=ist {0} | isNot=ist {0} (nicht {1}) | noChannel=nennt keinen Kanal (Sie suchen {0})
open=ist in {0} verfügbar | notOpen=ist in {0} nicht verfügbar | onlyIn=ist nur in {0} verfügbar, und das schließen Sie aus | everywhere=ist überall verfügbar
mentions=erwähnt {0} | offers=bietet {0} | unwantedIs={0}, und das möchten Sie nicht | unwantedWords=erwähnt {0}, und das möchten Sie nicht | unwantedOffers=bietet {0}, und das möchten Sie nicht
upTo=bis zu {0} | seconds=nimmt Spots von {0} Sekunden | otherSeconds=nimmt Spots von {0} Sekunden (nicht {1}) | size=nimmt {0} | otherSize=nimmt {0} nicht
currency=hat Preise in {0} (nicht in {1}) | noMinimum=hat keinen Mindestumsatz | flat=kostet insgesamt {0} | minimum=kostet mindestens {0} | hour=kostet {0} pro Stunde | day=kostet {0} pro Tag | week=kostet {0} pro Woche | month=kostet {0} pro Monat | costs=hat einen {0} von {1}
withinBudget={0} (im Budget) | overBudget={0} (über Ihrem Budget von {1}) | withinLimit={0} (innerhalb Ihrer Grenze von {1}) | overLimit={0} (über Ihrer Grenze von {1})
CPM=TKP | model=wird nach {0} abgerechnet | flatRate=Pauschalpreis | guaranteed=garantiert die Auslieferung | auction=garantiert die Auslieferung nicht | until=gilt nur bis {0} | inSeason=ist für diese Jahreszeit gedacht | outOfSeason=ist für eine andere Jahreszeit gedacht`,
  fr: `it=Cette offre {0} | but=Mais elle {0} | and=et | or=ou | openQuote=« | closeQuote= » | more={0} et {1} autres
is=est {0} | isNot=est {0} (non {1}) | noChannel=n'indique aucun canal (vous cherchez {0})
open=est disponible {0} | notOpen=n'est pas disponible {0} | onlyIn=n'est disponible que {0}, ce que vous excluez | everywhere=est disponible partout
mentions=mentionne {0} | offers=propose {0} | unwantedIs={0}, ce que vous ne voulez pas | unwantedWords=mentionne {0}, ce que vous ne voulez pas | unwantedOffers=propose {0}, ce que vous ne voulez pas
upTo=jusqu'à {0} | seconds=accepte des spots de {0} secondes | otherSeconds=accepte des spots de {0} secondes (pas de {1}) | size=accepte {0} | otherSize=n'accepte pas {0}
currency=a ses prix en {0} (pas en {1}) | noMinimum=n'a pas de dépense minimale | flat=coûte {0} au total | minimum=coûte au moins {0} | hour=coûte {0} par heure | day=coûte {0} par jour | week=coûte {0} par semaine | month=coûte {0} par mois | costs=a un {0} de {1}
withinBudget={0} (dans votre budget) | overBudget={0} (au-dessus de votre budget de {1}) | withinLimit={0} (dans votre limite de {1}) | overLimit={0} (au-dessus de votre limite de {1})
model=est facturée au {0} | flatRate=forfait | guaranteed=garantit la diffusion | auction=ne garantit pas la diffusion | until=n'est proposée que jusqu'en {0} | inSeason=correspond à cette période de l'année | outOfSeason=correspond à une autre période de l'année`,
  es: `it=Esta oferta {0} | but=Pero {0} | and=y | or=o | openQuote=« | closeQuote=» | more={0} y {1} más
is=es {0} | isNot=es {0} (no {1}) | noChannel=no indica ningún canal (usted busca {0})
open=está disponible en {0} | notOpen=no está disponible en {0} | onlyIn=solo está disponible en {0}, que usted excluye | everywhere=está disponible en todas partes
mentions=menciona {0} | offers=ofrece {0} | unwantedIs={0}, que usted no quiere | unwantedWords=menciona {0}, que usted no quiere | unwantedOffers=ofrece {0}, que usted no quiere
upTo=hasta {0} | seconds=admite anuncios de {0} segundos | otherSeconds=admite anuncios de {0} segundos (no de {1}) | size=admite {0} | otherSize=no admite {0}
currency=tiene precios en {0} (no en {1}) | noMinimum=no tiene gasto mínimo | flat=cuesta {0} en total | minimum=cuesta al menos {0} | hour=cuesta {0} por hora | day=cuesta {0} por día | week=cuesta {0} por semana | month=cuesta {0} por mes | costs=tiene un {0} de {1}
withinBudget={0} (dentro de su presupuesto) | overBudget={0} (por encima de su presupuesto de {1}) | withinLimit={0} (dentro de su límite de {1}) | overLimit={0} (por encima de su límite de {1})
model=se factura por {0} | flatRate=tarifa plana | guaranteed=garantiza la entrega | auction=no garantiza la entrega | until=solo se ofrece hasta {0} | inSeason=es para esa época del año | outOfSeason=es para otra época del año`,
  nl: `it=Dit aanbod {0} | but=Maar het {0} | and=en | or=of | openQuote=“ | closeQuote=” | more={0} en nog {1}
is=is {0} | isNot=is {0} (niet {1}) | noChannel=noemt geen kanaal (u zoekt {0})
open=is beschikbaar in {0} | notOpen=is niet beschikbaar in {0} | onlyIn=is alleen beschikbaar in {0}, en dat sluit u uit | everywhere=is overal beschikbaar
mentions=noemt {0} | offers=biedt {0} | unwantedIs={0}, en dat wilt u niet | unwantedWords=noemt {0}, en dat wilt u niet | unwantedOffers=biedt {0}, en dat wilt u niet
upTo=hooguit {0} | seconds=neemt spots van {0} seconden | otherSeconds=neemt spots van {0} seconden (niet {1}) | size=neemt {0} | otherSize=neemt {0} niet
currency=heeft prijzen in {0} (niet in {1}) | noMinimum=heeft geen minimumbesteding | flat=kost in totaal {0} | minimum=kost minstens {0} | hour=kost {0} per uur | day=kost {0} per dag | week=kost {0} per week | month=kost {0} per maand | costs=heeft een {0} van {1}
withinBudget={0} (binnen uw budget) | overBudget={0} (boven uw budget van {1}) | withinLimit={0} (binnen uw grens van {1}) | overLimit={0} (boven uw grens van {1})
model=wordt afgerekend per {0} | flatRate=vaste prijs | guaranteed=garandeert de uitlevering | auction=garandeert de uitlevering niet | until=geldt alleen tot en met {0} | inSeason=is voor die tijd van het jaar bedoeld | outOfSeason=is voor een andere tijd van het jaar bedoeld`,
  sv: `it=Erbjudandet {0} | but=Men det {0} | and=och | or=eller | openQuote=” | closeQuote=” | more={0} och {1} till
is=är {0} | isNot=är {0} (inte {1}) | noChannel=anger ingen kanal (ni söker {0})
open=finns i {0} | notOpen=finns inte i {0} | onlyIn=finns bara i {0}, som ni utesluter | everywhere=finns överallt
mentions=nämner {0} | offers=erbjuder {0} | unwantedIs={0}, vilket ni inte vill ha | unwantedWords=nämner {0}, vilket ni inte vill ha | unwantedOffers=erbjuder {0}, vilket ni inte vill ha
upTo=högst {0} | seconds=tar spottar på {0} sekunder | otherSeconds=tar spottar på {0} sekunder (inte {1}) | size=tar {0} | otherSize=tar inte {0}
currency=har priser i {0} (inte i {1}) | noMinimum=har ingen minsta kostnad | flat=kostar {0} totalt | minimum=kostar minst {0} | hour=kostar {0} per timme | day=kostar {0} per dag | week=kostar {0} per vecka | month=kostar {0} per månad | costs=har en {0} på {1}
withinBudget={0} (inom er budget) | overBudget={0} (över er budget på {1}) | withinLimit={0} (inom er gräns på {1}) | overLimit={0} (över er gräns på {1})
model=prissätts per {0} | flatRate=fast pris | guaranteed=garanterar leveransen | auction=garanterar inte leveransen | until=erbjuds bara till och med {0} | inSeason=är avsett för den tiden på året | outOfSeason=är avsett för en annan tid på året`,
  da: `it=Tilbuddet {0} | but=Men det {0} | and=og | or=eller | openQuote=” | closeQuote=” | more={0} og {1} mere
is=er {0} | isNot=er {0} (ikke {1}) | noChannel=angiver ingen kanal (I søger {0})
open=fås i {0} | notOpen=fås ikke i {0} | onlyIn=fås kun i {0}, som I udelukker | everywhere=fås overalt
mentions=nævner {0} | offers=tilbyder {0} | unwantedIs={0}, som I ikke ønsker | unwantedWords=nævner {0}, som I ikke ønsker | unwantedOffers=tilbyder {0}, som I ikke ønsker
upTo=højst {0} | seconds=tager spots på {0} sekunder | otherSeconds=tager spots på {0} sekunder (ikke {1}) | size=tager {0} | otherSize=tager ikke {0}
currency=har priser i {0} (ikke i {1}) | noMinimum=har intet mindstebeløb | flat=koster {0} i alt | minimum=koster mindst {0} | hour=koster {0} i timen | day=koster {0} om dagen | week=koster {0} om ugen | month=koster {0} om måneden | costs=har en {0} på {1}
withinBudget={0} (inden for jeres budget) | overBudget={0} (over jeres budget på {1}) | withinLimit={0} (inden for jeres grænse på {1}) | overLimit={0} (over jeres grænse på {1})
model=afregnes pr. {0} | flatRate=fast pris | guaranteed=garanterer leveringen | auction=garanterer ikke leveringen | until=tilbydes kun til og med {0} | inSeason=er beregnet til den tid på året | outOfSeason=er beregnet til en anden tid på året`,
  nb: `it=Tilbudet {0} | but=Men det {0} | and=og | or=eller | openQuote=« | closeQuote=» | more={0} og {1} til
is=er {0} | isNot=er {0} (ikke {1}) | noChannel=oppgir ingen kanal (dere søker {0})
open=fås i {0} | notOpen=fås ikke i {0} | onlyIn=fås bare i {0}, som dere utelukker | everywhere=fås overalt
mentions=nevner {0} | offers=tilbyr {0} | unwantedIs={0}, som dere ikke ønsker | unwantedWords=nevner {0}, som dere ikke ønsker | unwantedOffers=tilbyr {0}, som dere ikke ønsker
upTo=høyst {0} | seconds=tar spotter på {0} sekunder | otherSeconds=tar spotter på {0} sekunder (ikke {1}) | size=tar {0} | otherSize=tar ikke {0}
currency=har priser i {0} (ikke i {1}) | noMinimum=har ikke noe minstebeløp | flat=koster {0} totalt | minimum=koster minst {0} | hour=koster {0} i timen | day=koster {0} om dagen | week=koster {0} i uken | month=koster {0} i måneden | costs=har en {0} på {1}
withinBudget={0} (innenfor budsjettet) | overBudget={0} (over budsjettet på {1}) | withinLimit={0} (innenfor grensen på {1}) | overLimit={0} (over grensen på {1})
model=prises per {0} | flatRate=fast pris | guaranteed=garanterer leveringen | auction=garanterer ikke leveringen | until=tilbys bare til og med {0} | inSeason=er ment for den tiden av året | outOfSeason=er ment for en annen tid av året`,
  fi: `it=Tarjous {0} | but=Mutta se {0} | and=ja | or=tai | openQuote=” | closeQuote=” | more={0} ja {1} muuta
is=on {0} | isNot=on {0} (ei {1}) | noChannel=ei nimeä kanavaa (haette: {0})
open=on saatavilla (maat: {0}) | notOpen=ei ole saatavilla (maat: {0}) | onlyIn=on saatavilla vain maissa, jotka suljette pois ({0}) | everywhere=on saatavilla kaikkialla
mentions=mainitsee {0} | offers=tarjoaa {0} | unwantedIs={0}, jota ette halua | unwantedWords=mainitsee {0}, jota ette halua | unwantedOffers=tarjoaa {0}, jota ette halua
upTo=enintään {0} | seconds=ottaa {0} sekunnin spotteja | otherSeconds=ottaa {0} sekunnin spotteja (ei {1}) | size=ottaa koon {0} | otherSize=ei ota kokoa {0}
currency=on hinnoiteltu valuutassa {0} (ei {1}) | noMinimum=ei vaadi vähimmäisostoa | flat=maksaa yhteensä {0} | minimum=maksaa vähintään {0} | hour=maksaa {0} tunnissa | day=maksaa {0} päivässä | week=maksaa {0} viikossa | month=maksaa {0} kuukaudessa | costs=on hinnaltaan ({0}) {1}
withinBudget={0} (mahtuu budjettiinne) | overBudget={0} (ylittää budjettinne {1}) | withinLimit={0} (mahtuu rajaanne {1}) | overLimit={0} (ylittää rajanne {1})
model=hinnoitellaan näin: {0} | flatRate=kiinteä hinta | guaranteed=takaa toimituksen | auction=ei takaa toimitusta | until=on tarjolla vain {0} asti | inSeason=on tarkoitettu siihen vuodenaikaan | outOfSeason=on tarkoitettu toiseen vuodenaikaan`,
}

export function factsIn(language: Language): Facts {
  const entries = rows[language].split(/ \| |\n/).map((row) => {
    const end = row.indexOf("=")
    return [row.slice(0, end), row.slice(end + 1)]
  })
  return Object.fromEntries(entries)
}

/** A channel as it stands behind "is". */
export function channelIn(language: Language): (channel: string) => string {
  const names = channelNames[language].split(", ")
  return (channel) => names[channelOrder.indexOf(channel)] ?? channel.replaceAll("_", " ")
}

// Countries that have an article, by language. French has a rule for all of them.
const articles: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>> = {
  en: { US: "the ", GB: "the ", NL: "the ", AE: "the ", PH: "the ", DO: "the " },
  de: {
    CH: "der ",
    TR: "der ",
    SK: "der ",
    UA: "der ",
    MN: "der ",
    US: "den ",
    NL: "den ",
    AE: "den ",
    PH: "den ",
    GB: "dem ",
  },
  nl: { US: "de ", AE: "de ", PH: "de ", GB: "het " },
  es: { US: "los ", GB: "el ", NL: "los ", AE: "los " },
}
// As they are called behind an article.
const inflected: Readonly<Record<string, string>> = {
  "Vereinigte Staaten": "Vereinigten Staaten",
  Niederlande: "Niederlanden",
  Philippinen: "Philippinen",
  "Vereinigtes Königreich": "Vereinigten Königreich",
  "Vereinigte Arabische Emirate": "Vereinigten Arabischen Emiraten",
}
const masculineInE = new Set(["MX", "KH", "MZ", "ZW", "BZ", "SR"])

/** A country as it stands behind "in"; in French with the preposition. */
export function placeIn(language: Language, code: string, name: string): string {
  if (language !== "fr") return `${articles[language]?.[code] ?? ""}${inflected[name] ?? name}`
  if (/^(États|Pays-Bas|Émirats|Philippines|Seychelles|Maldives)/.test(name)) return `aux ${name}`
  const isFeminine = name.endsWith("e") && !masculineInE.has(code)
  return `${isFeminine || /^[AEIOUYÉÎ]/.test(name) ? "en" : "au"} ${name}`
}
