// Words of briefs that no standard data has: what buyers call channels, placements, ways to pay, regions and seasons, in English, German,
// French, Spanish, Dutch, Swedish, Danish, Norwegian and Finnish. Plurals and endings are found by the stem; phrases are separated by commas.

/** From a word to the channels that it can mean. */
export const channelWords: Readonly<Record<string, string>> = {
  podcast: "podcast, podcasting, podcaster, podd, poddar, podden, podcasti, balado",
  "podcast streaming_audio radio":
    "audio, audio ad, audio spot, listener, hörer, zuhörer, auditeur, oyente, luisteraar, lyssnare, lytter, kuuntelija, äänimainos, ääni, ljud, lyd, geluid",
  streaming_audio:
    "streaming audio, audio streaming, audio en streaming, music streaming, streaming music, music stream, web radio, webradio, online radio, internet radio, digital audio, spotify, musikstreaming, musique en streaming, muziekstreaming, suoratoisto, musiikin suoratoisto, strömmad musik",
  "radio streaming_audio": "radio, rundfunk, hörfunk, fm, drive time, radiospot, radiozender, radiokanal",
  ctv: "ctv, connected tv, connected television, streaming tv, streaming television, smart tv, ott, avod, fast channels, tv streaming, télévision connectée, televisión conectada, tv conectada, internet tv, verbonden tv, uppkopplad tv, vernetztes fernsehen, living room, big screen, suoratoistopalvelu, roku, netflix",
  "ctv linear_tv":
    "tv, tvs, television, fernsehen, fernseh, télé, télévision, televisión, televisie, fjernsyn, televisio, tv ad, tv spot",
  linear_tv: "linear tv, broadcast tv, broadcast television, lineares fernsehen, primetime, prime time",
  "olv ctv social": "video, vidéo, vídeo, film ad, videomainos, bewegtbild",
  olv: "olv, online video, video ads online, instream, in stream, outstream, out stream, youtube, web video",
  "dooh ooh":
    "out of home, ooh, outdoor advertising, outdoor ad, aussenwerbung, affichage, affichage extérieur, publicidad exterior, exterior, buitenreclame, utomhusreklam, utomhus, utendørsreklame, udendørsreklame, udendørs reklame, ulkomainonta, ulkomainos, billboard, street furniture, transit ads",
  dooh: "dooh, digital out of home, digital outdoor, digital billboard, screen, bildschirm, digitale aussenwerbung, écran, pantalla, scherm, schermen, skärm, skärmar, skærm, skjerm, skjermer, näyttö, info screen, infoscreen, video wall, led wall, affichage digital, digital signage",
  "ooh dooh":
    "poster, plakat, plakate, affiche, cartel, valla, vallas, bus shelter, abribus, city light, bus stop, juliste, affisch, hoarding",
  email:
    "newsletter, email, e mail, mail, mailing, mailing list, infolettre, lettre d'information, boletín, boletines, correo electrónico, nieuwsbrief, nieuwsbrieven, nyhetsbrev, nyhedsbrev, uutiskirje, rundbrief",
  "display email": "banner, bannière, bannieren, bannere, banneri, bandeau",
  display:
    "display, display ad, web banner, leaderboard, skyscraper, half page, halfpage, rectangle, mpu, takeover, display banner, website, web site, onsite, verkkosivu, webseite, site web, sitio web, mobile banner, mobilbanner, mobiilibanneri, wallpaper",
  "social influencer":
    "social, social media, soziale medien, réseaux sociaux, redes sociales, sociale media, sociala medier, sosiale medier, sociale medier, sosiaalinen media",
  social:
    "instagram, facebook, tiktok, tik tok, snapchat, pinterest, linkedin, reels, stories, paid social, feed post, shorts",
  influencer:
    "influencer, influenceur, influenceuse, creator, content creator, créateur, créatrice, creador, creadora, streamer, twitch, vaikuttaja, youtuber, blogger, testimonial",
  gaming: "in game, in app game, rewarded, game ad, gaming, esports, e sports",
  retail_media:
    "retail media, retailmedia, sponsored product, sponsored products, supermarket, supermarkt, supermarché, supermercado, grocer, grocery, retailer, online shop ads, onsite search, marketplace, detailhandel, händler",
  search:
    "search ads, paid search, search engine, sem, keyword ads, job ad, job ads, job board, stellenanzeige, suchmaschine, stellenmarkt, vacature, oferta de empleo, offre d'emploi",
  cinema: "cinema, kino, cinéma, cine, bioscoop, biograf, bio reklam, elokuvateatteri, movie theater, movie theatre",
  print:
    "print, magazine ad, full page, newspaper ad, zeitungsanzeige, printanzeige, anzeige in zeitschrift, presse écrite, prensa escrita, tijdschrift, tidning, avisannonce, lehti",
  affiliate: "affiliate, affiliation, afiliación, cashback, affiliatemarketing, kumppanimarkkinointi",
  sponsored_intelligence:
    "ai assistant, chatbot, chatbots, ki assistent, llm, sponsored answer, ai search, generative ai ads, chatgpt, shopping assistant",
  product_placement: "product placement, produktplatzierung",
}

/** What a placement is like; found in briefs, and in names, formats and types of products. */
export const featureWords: Readonly<Record<string, string>> = {
  "host-read":
    "host read, read by the host, host reads, hosts read, host mention, host endorsement, host sponsorship, hosts talk, hosts speak, baked in, vom moderator gelesen, moderator liest, mención del presentador, lu par l'animateur, voorgelezen, uppläst, uppläst av programledaren, værtslæst, vertslest, host",
  "pre-roll": "pre roll, preroll, pré roll",
  "mid-roll": "mid roll, midroll",
  "post-roll": "post roll, postroll",
  "in-stream": "instream, in stream",
  "out-stream": "outstream, out stream, in article, standalone",
  takeover: "takeover, take over, homepage takeover, home page takeover, road block, roadblock",
  native: "native, native ad, in feed, sponsored content, content recommendation",
  "sponsored article":
    "sponsored article, advertorial, paid article, sponsored story, artikel gesponsert, article sponsorisé, artículo patrocinado",
  sponsorship: "sponsorship, sponsor, sponsoring, patrocinio, parrainage, sponsoravtal, sponsorering",
  vertical: "vertical, vertical video, portrait video, hochformat, short video, short form",
  rewarded: "rewarded, rewarded video, incentivized",
  "mobile banner": "mobile banner, mobilbanner, mobile banners, mobiele banner, mobiilibanneri, mobile web, mobile",
  "half page": "half page, halfpage",
  "text ad": "text ad, textanzeige, annonce texte, tekstadvertentie",
}

export const deliveryWords: Readonly<Record<string, string>> = {
  guaranteed:
    "guaranteed, guarantee, reserved, fixed price, fixed prices, direct deal, direct buy, direct io, garantiert, festpreis, fester preis, garanti, prix fixe, garantizado, precio fijo, gegarandeerd, vaste prijs, garanterad, fast pris, garanteret, garantert, taattu, kiinteä hinta",
  non_guaranteed:
    "programmatic, programmatically, auction, open auction, rtb, real time bidding, bid, bidding, non guaranteed, nonguaranteed, not guaranteed, private marketplace, pmp, dsp, programmatisch, auktion, programmatique, enchère, programático, programática, subasta, veiling, programmatisk, ohjelmallinen, huutokauppa, remnant",
}

export const pricingWords: Readonly<Record<string, string>> = {
  cpc: "cpc, per click, cost per click, pay per click, ppc, pro klick, par clic, au clic, por clic, per klik, per klikk",
  cpa: "cpa, per sale, for sales, for sales only, only for sales, cost per sale, per order, per acquisition, per lead, cost per action, commission, provision",
  cpm: "cpm, tkp, per thousand, cost per mille",
  cpcv: "cpcv, per completed view, per view, cpv",
  flat_rate: "flat fee, flat rate, flat price, lump sum, pauschalpreis, pauschale, forfait, tarifa plana",
}

/** Countries by the language that is spoken there; a country that the brief names as well is the one that is meant. */
export const languageWords: Readonly<Record<string, string>> = {
  "DE AT CH":
    "german speaking, deutschsprachig, deutschsprachiger raum, germanophone, duitstalig, tysktalande, tysksproget, tyskspråklig, saksankielinen",
  "FR BE CH LU": "french speaking, francophone, französischsprachig, franstalig, fransktalande",
  "ES MX AR CO CL PE": "spanish speaking, hispanohablante, spanischsprachig, hispanic markets",
  "GB IE US CA AU NZ": "english speaking, anglophone, englischsprachig, engelstalig, engelsktalande",
  "NL BE": "dutch speaking, nederlandstalig, niederländischsprachig",
}

/** Countries by ISO code; * is everywhere. */
export const regionWords: Readonly<Record<string, string>> = {
  "DE AT CH": "dach, d a ch",
  "NL BE": "lage landen, low countries",
  "SE NO DK FI IS":
    "nordic, nordics, nordic countries, norden, nordisch, nordique, pays nordiques, nórdico, países nórdicos, noords, noordse landen, nordisk, nordiska länderna, pohjoismaat, pohjoismaissa, nordische länder",
  "SE NO DK":
    "scandinavia, scandinavian, skandinavien, skandinavisch, scandinavie, escandinavia, scandinavië, skandinavia, skandinavisk, skandinavia",
  "BE NL LU": "benelux, bénélux",
  "EE LV LT": "baltic, baltics, baltic states, baltikum, pays baltes, bálticos, baltia",
  "ES PT": "iberia, iberian, iberische halbinsel",
  "GB IE": "uk and ireland, uk ireland, british isles, uki",
  "US CA MX": "north america, nordamerika, amérique du nord, norteamérica, noord amerika, pohjois amerikka",
  "MX BR AR CL CO PE":
    "latam, latin america, lateinamerika, amérique latine, latinoamérica, américa latina, latijns amerika",
  "CN JP KR IN SG AU NZ ID TH MY PH VN TW HK": "apac, asia pacific",
  "AE SA QA KW EG MA JO": "mena, middle east, naher osten, gulf states, gcc",
  "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE":
    "eu, european union, europäische union, union européenne, unión europea, europese unie, europeiska unionen, ue, euroopan unioni",
  "AT BE BG HR CH CZ DK EE FI FR DE GB GR HU IE IT LV LT LU NL NO PL PT RO SK SI ES SE":
    "europe, european, europa, europäisch, européen, europeo, europees, europeisk, europæisk, eurooppa, pan european, emea",
  "PL CZ SK HU RO BG": "cee, eastern europe, central and eastern europe, osteuropa",
  "*": "worldwide, global, globally, international, internationally, weltweit, mondial, mundial, wereldwijd, globalt, världen över, hele verden, maailmanlaajuinen, any country, anywhere",
}

/** People, and names of countries that lists do not have. */
export const peopleWords: Readonly<Record<string, string>> = {
  US: "u s, u s a, usa, america, american, americans, états unis, eeuu, ee uu, amerika, amerikka",
  GB: "uk, u k, british, brits, britain, english market, storbritannien, britannia, engeland, angleterre, inglaterra, england, englisch, anglais",
  DE: "germans, deutsche, deutscher, deutschen, german market",
  AT: "austrians, österreicher",
  CH: "schweizer, swiss",
  FR: "franzosen, frenchmen",
  ES: "spaniards, spanier",
  NL: "dutch, holland, hollande, holanda, nederlands, nederlandse",
  BE: "belgians, flemish, vlaams",
  SE: "swedes, svenskar, zweeds, zweden",
  DK: "danes, danskere, deens",
  NO: "norwegians, nordmenn, noors",
  FI: "finns, suomalaiset, suomalaisille, fins",
  IT: "italians, italiener",
  IE: "irish",
  PL: "poles",
  CA: "canadians",
  AU: "aussies",
  TR: "turks",
}

/** Cities and parts of countries that campaigns are planned for. */
export const placeWords: Readonly<Record<string, string>> = {
  US: "new york, los angeles, chicago, san francisco, california, texas, florida, boston, seattle, miami, washington, atlanta",
  GB: "scotland, scottish, wales, welsh, london, londoner, manchester, birmingham, bristol, glasgow, edinburgh, leeds, liverpool, londres",
  DE: "bavaria, bavarian, bayern, bayerisch, nrw, nordrhein westfalen, berlin, berliner, hamburg, münchen, munich, köln, cologne, frankfurt, stuttgart, düsseldorf, leipzig, bremen, dresden, hannover, nürnberg, ruhrgebiet",
  AT: "wien, wiener, vienna, graz, salzburg, linz, innsbruck, tyrol, tirol",
  CH: "zürich, zurich, genf, geneva, genève, bern, basel, lausanne, suisse romande",
  FR: "paris, parisien, lyon, marseille, bordeaux, lille, toulouse, nantes, île de france",
  ES: "madrid, barcelona, valencia, sevilla, seville, catalonia, cataluña, costa del sol, andalucía",
  NL: "amsterdam, rotterdam, utrecht, randstad, den haag, eindhoven",
  BE: "vlaanderen, flanders, wallonie, wallonia, brussels, bruxelles, brussel, antwerp, antwerpen",
  SE: "stockholm, göteborg, gothenburg, malmö",
  DK: "copenhagen, københavn, kopenhagen, aarhus",
  NO: "oslo, bergen, trondheim",
  FI: "helsinki, helsingfors, tampere, turku",
  IT: "rome, roma, milan, milano, turin, naples",
  IE: "dublin, cork",
  PL: "warsaw, warszawa, kraków, krakow",
  PT: "lisbon, lisboa, porto",
  CZ: "prague, prag, praha",
  CA: "toronto, montreal, vancouver, quebec",
  AU: "sydney, melbourne, brisbane",
  JP: "tokyo",
  TR: "istanbul",
}

/** Months and days of a year that buyers call by a name. */
export const seasonWords: Readonly<Record<string, string>> = {
  "1-3": "q1, first quarter, erstes quartal, 1. quartal, premier trimestre, t1",
  "4-6": "q2, second quarter, zweites quartal, deuxième trimestre, t2",
  "7-9": "q3, third quarter, drittes quartal, troisième trimestre, t3",
  "10-12": "q4, fourth quarter, viertes quartal, quatrième trimestre, t4",
  "11-11": "black friday, cyber monday, cyber week, black week, singles day",
  "11-12":
    "christmas, xmas, x mas, weihnachten, weihnacht, weihnachts, weihnachtsmarkt, advent, noël, navidad, kerst, kerstmis, jul, julen, joulu, holiday season",
  "12-1": "new year, new years, silvester, nouvel an, año nuevo, nieuwjaar, nyår, nytår, nyttår",
  "1-1": "new year's resolution, resolution",
  "2-2": "valentine, valentines, valentinstag, saint valentin, san valentín, super bowl",
  "3-5": "spring, frühling, frühjahr, printemps, primavera, voorjaar, lente, vår, forår, kevät",
  "3-4": "easter, ostern, pâques, semana santa, pasen, påsk, påske, pääsiäinen",
  "6-8": "summer, sommer, sommar, été, verano, zomer, kesä",
  "8-9": "back to school, schulanfang, rentrée, vuelta al cole",
  "9-11": "autumn, herbst, automne, otoño, herfst, efterår, syksy",
  "10-10": "halloween, oktoberfest",
  "12-2": "winter, hiver, invierno, vinter, talvi",
}

/** Words beside an amount: what it bounds. */
export const boundWords: Readonly<Record<string, string>> = {
  most: "up to, max, maximum, under, below, less than, no more than, not more than, nothing over, at most, cap, capped at, bis, bis zu, höchstens, maximal, unter, jusqu'à, moins de, maximum de, hasta, menos de, como máximo, tot, maximaal, onder, minder dan, upp till, högst, op til, højst, opptil, høyst, enintään, alle, korkeintaan",
  least:
    "at least, minimum, min, from, over, more than, above, mindestens, ab, mehr als, au moins, plus de, al menos, más de, minstens, meer dan, minst, mindst, yli, vähintään",
  between: "between, zwischen, entre, tussen, mellan, mellem, mellom, välillä",
  to: "to, and, until, through, bis, und, à, et, a, y, tot, en, till, och, til, og, ja, til og med",
  budget:
    "budget, spend, spending, total, investment, money, etat, presupuesto, budjetti, have, about, around, roughly, ca, circa, approx, etwa, rund, environ, unos, ongeveer, cirka, noin",
}

/** Money without its country: the first one is meant where the brief names none of their countries, all of them where it is "kr". */
export const moneyWords: Readonly<Record<string, string>> = {
  EUR: "€, eur, euro, euros, euroa, eurot",
  "USD CAD AUD NZD SGD": "$, dollar, dollars, bucks, dólar, dólares",
  USD: "usd, us dollar, us dollars",
  GBP: "£, gbp, pound, pounds, quid, sterling, pfund, livre, livres, libra, libras, pond, pund, punta",
  CHF: "chf, sfr, franken, franc, francs, francos",
  SEK: "sek, krona, kronor",
  "DKK NOK": "kroner",
  "SEK NOK DKK": "kr, tkr, krone, kronen, crown, crowns, corona, coronas, couronne, couronnes, kruunua",
  NOK: "nok",
  DKK: "dkk",
  PLN: "pln, zloty, złotych",
  "JPY CNY": "¥, yen",
  "MXN COP ARS CLP": "peso, pesos",
}

export const negationWords =
  "no, not, without, nothing, except, never, avoid, excluding, ohne, kein, keine, keinen, nicht, sans, pas, aucun, aucune, sin, nada, geen, zonder, niet, utan, inte, ingen, inga, uden, ikke, intet, uten, ilman, ei"

/** What every brief says, and so says nothing. */
export const fillerWords =
  "let, know, less, next, nächste, nächsten, nächster, kommenden, prochain, prochaine, próximo, volgende, nästa, næste, neste, ensi, ad, ads, run of network, run of site, run of the network, ron, ros, advert, advertise, advertiser, advertising, advertisement, campaign, brand, buy, product, products, client, company, launch, launching, launched, new, want, wants, look, looking, seek, seeking, need, please, propose, proposal, inventory, reach, target, targeting, audience, awareness, objective, goal, kpi, flight, format, formats, placement, placements, spot, spots, rfp, team, thanks, hi, hello, hey, dear, plan, planning, anything, something, people, fan, fans, lover, lovers, owner, owners, user, users, reader, readers, market, markets, region, country, budget, spend, total, max, cheap, small, low, large, big, standard, price, prices, option, options, week, weeks, month, months, day, days, year, years, push, start, sell, sells, show, shows, ideally, preferred, prefer, next, this, last, early, late, mid, end, beginning, currently, per, pay, paid, only, werbung, werbekampagne, anzeige, anzeigen, kampagne, suchen, suche, sucht, möchten, wollen, erreichen, zielgruppe, marke, neue, neuer, neues, publicité, pub, annonce, annonces, campagne, cherchons, cherche, marque, public, publicidad, anuncio, anuncios, campaña, buscamos, marca, reclame, adverteren, advertentie, zoeken, bereiken, doelgroep, merk, reklam, reklame, annons, annonser, kampanj, kampanje, kampagne, søger, söker, mainos, mainonta, mainoskampanja, kampanja, suunnattu, spend, bezahlung, woche, wochen, jahr, monat, semaine, semana, vecka, uge, uke, viikko"
