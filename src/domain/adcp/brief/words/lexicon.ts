// Words of briefs that no standard data has: what buyers call channels, placements, ways to pay, regions and seasons, in English, German,
// French, Spanish, Dutch, Swedish, Danish, Norwegian and Finnish. Plurals and endings are found by the stem; phrases are separated by commas.

/** From a word to the channels that it means, or may mean. */
export const channelWords: Readonly<Record<string, string>> = {
  podcast: "podcast, podcasting, podcaster, podd, poddar, podden, podcasti, balado",
  "podcast streaming_audio radio":
    "audio, audio ad, audio spot, listener, hörer, zuhörer, auditeur, oyente, luisteraar, lyssnare, lytter, kuuntelija, äänimainos, ääni, ljud, lyd, geluid",
  streaming_audio:
    "streaming audio, audio streaming, audio en streaming, music streaming, streaming music, music stream, web radio, webradio, online radio, internet radio, digital audio, spotify, musikstreaming, musique en streaming, muziekstreaming, suoratoisto, musiikin suoratoisto, strömmad musik",
  "radio or streaming_audio": "radio, rundfunk, hörfunk, fm, drive time, radiospot, radiozender, radiokanal",
  ctv: "ctv, connected tv, connected television, streaming tv, streaming television, smart tv, ott, avod, fast channels, tv streaming, télévision connectée, televisión conectada, tv conectada, internet tv, verbonden tv, uppkopplad tv, vernetztes fernsehen, living room, big screen, suoratoistopalvelu, roku, netflix",
  "ctv linear_tv":
    "tv, tvs, television, fernsehen, fernseh, télé, télévision, televisión, televisie, fjernsyn, televisio, tv ad, tv spot",
  linear_tv: "linear tv, broadcast tv, broadcast television, lineares fernsehen, primetime, prime time",
  "olv ctv or social": "video, vidéo, vídeo, film ad, videomainos, bewegtbild",
  olv: "olv, online video, video ads online, instream, in stream, outstream, out stream, youtube, web video",
  "dooh ooh":
    "out of home, ooh, outdoor advertising, outdoor ad, outdoor media, outdoor campaign, outdoor in, aussenwerbung, affichage, affichage extérieur, publicidad exterior, exterior, buitenreclame, utomhusreklam, utomhus, utendørsreklame, udendørsreklame, udendørs reklame, ulkomainonta, ulkomainos, billboard, street furniture, transit ads",
  dooh: "dooh, digital out of home, digital outdoor, digital billboard, screen, bildschirm, digitale aussenwerbung, écran, pantalla, scherm, schermen, skärm, skärmar, skærm, skjerm, skjermer, näyttö, info screen, infoscreen, video wall, led wall, affichage digital, digital signage",
  "ooh or dooh":
    "poster, plakat, plakate, affiche, cartel, valla, vallas, bus shelter, abribus, city light, bus stop, juliste, affisch, hoarding",
  email:
    "newsletter, email, e mail, mail, mailing, mailing list, infolettre, lettre d'information, boletín, boletines, correo electrónico, nieuwsbrief, nieuwsbrieven, nyhetsbrev, nyhedsbrev, uutiskirje, rundbrief",
  "display or email": "banner, bannière, bannieren, bannere, banneri, bandeau",
  display:
    "display, display ad, web banner, leaderboard, skyscraper, half page, halfpage, rectangle, mpu, takeover, display banner, website, web site, onsite, verkkosivu, webseite, site web, sitio web, mobile banner, mobilbanner, mobiilibanneri, wallpaper",
  "social or influencer":
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
  cinema:
    "cinema, kino, cinéma, cine, bioscoop, biograf, bio reklam, bioreklam, elokuvateatteri, movie theater, movie theatre",
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
    "host read, read by the host, host reads, hosts read, host mention, host endorsement, host sponsorship, hosts talk, hosts speak, baked in, vom moderator gelesen, moderator liest, mención del presentador, lu par l'animateur, voorgelezen, uppläst, uppläst av programledaren, værtslæst, vertslest, host ad, host spot",
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
  mobile: "mobile, mobile banner, mobilbanner, mobile banners, mobiele banner, mobiilibanneri, mobile web",
  "half page": "half page, halfpage",
  "text ad": "text ad, textanzeige, annonce texte, tekstadvertentie",
}

export const deliveryWords: Readonly<Record<string, string>> = {
  guaranteed:
    "guaranteed, guarantee, reserved, fixed price, fixed prices, direct deal, direct buy, direct io, garantiert, festpreis, fester preis, garanti, prix fixe, garantizado, precio fijo, gegarandeerd, vaste prijs, garanterad, fast pris, garanteret, garantert, taattu, kiinteä hinta",
  non_guaranteed:
    "programmatic, programmatically, auction, open auction, rtb, real time bidding, bid, bidding, non guaranteed, nonguaranteed, not guaranteed, private marketplace, pmp, dsp, programmatisch, auktion, programmatique, enchère, programático, programática, subasta, veiling, programmatisk, ohjelmallinen, huutokauppa, remnant",
}

/** How prices are counted; the last four are prices by time. */
export const pricingWords: Readonly<Record<string, string>> = {
  cpc: "cpc, per click, a click, each click, cost per click, pay per click, ppc, klickpreis, pro klick, par clic, le clic, au clic, coût par clic, por clic, el clic, coste por clic, costo por clic, per klik, per klikk, per klick, klikkipris, klikkihinta",
  cpa: "cpa, per sale, for sales, for sales only, only for sales, cost per sale, per order, per acquisition, per lead, cost per action, commission, provision",
  cpm: "cpm, ecpm, tkp, tausenderkontaktpreis, tausend kontakt preis, tausenderpreis, per thousand, per mille, a thousand, cost per mille, cost per thousand, pro tausend, pro tausend kontakte, je tausend, coût pour mille, pour mille, le mille, coste por mil, costo por mil, por mil, per duizend, per tusen, per tusind, tuhannelta, per 1000, per 1,000, per 1.000, pro 1000, pro 1.000, pour 1000, por 1000",
  vcpm: "vcpm, viewable cpm",
  cpcv: "cpcv, per completed view, per view, cpv",
  cpp: "cpp, per rating point, per grp, cost per point",
  flat_rate: "flat fee, flat rate, flat price, lump sum, pauschalpreis, pauschale, forfait, tarifa plana",
  hour: "per hour, an hour, pro stunde, par heure, por hora",
  day: "per day, a day, cpd, daily, pro tag, am tag, tagespreis, par jour, al día, por día, per dag, om dagen, päivässä",
  week: "per week, a week, pro woche, par semaine, por semana, a la semana, per vecka, i veckan, om ugen, per uge, per uke, viikossa",
  month: "per month, a month, pro monat, par mois, al mes, por mes, per maand, i månaden, om måneden, kuukaudessa",
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
  US: "u s, u s a, usa, the states, stateside, america, american, americans, états unis, eeuu, ee uu, amerika, amerikka",
  GB: "uk, u k, great britain, british, brits, britain, english market, storbritannien, britannia, engeland, angleterre, inglaterra, england, englisch, anglais",
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
  US: "new york, nyc, new york city, los angeles, chicago, san francisco, bay area, california, texas, florida, boston, seattle, miami, washington, atlanta, houston, dallas, philadelphia, phoenix, san diego, denver, detroit, las vegas, portland, austin, nashville, brooklyn, manhattan",
  GB: "scotland, scottish, wales, welsh, london, londoner, manchester, birmingham, bristol, glasgow, edinburgh, leeds, liverpool, londres, sheffield, newcastle, cardiff, belfast, nottingham, brighton",
  DE: "bavaria, bavarian, bayern, bayerisch, nrw, nordrhein westfalen, berlin, berliner, hamburg, hamburger, münchen, munich, münchner, köln, kölner, cologne, frankfurt, stuttgart, düsseldorf, leipzig, bremen, dresden, hannover, nürnberg, ruhrgebiet, dortmund, essen ruhr, mannheim, bonn, sachsen, hessen, baden württemberg",
  AT: "wien, wiener, vienna, vienne, viena, graz, salzburg, linz, innsbruck, tyrol, tirol, klagenfurt",
  CH: "zürich, zurich, züri, genf, geneva, genève, ginebra, bern, basel, lausanne, suisse romande, luzern, winterthur",
  FR: "paris, parisien, lyon, marseille, bordeaux, lille, toulouse, nantes, île de france, nice côte d'azur, strasbourg, montpellier, rennes",
  ES: "madrid, barcelona, valencia, sevilla, seville, catalonia, cataluña, costa del sol, andalucía, bilbao, málaga, malaga, zaragoza, mallorca, ibiza",
  NL: "amsterdam, rotterdam, utrecht, randstad, den haag, the hague, eindhoven, groningen",
  BE: "vlaanderen, flanders, wallonie, wallonia, brussels, bruxelles, brussel, antwerp, antwerpen, ghent, gent, liège",
  SE: "stockholm, göteborg, gothenburg, malmö, uppsala",
  DK: "copenhagen, københavn, kopenhagen, copenhague, aarhus, odense",
  NO: "oslo, bergen, trondheim, stavanger",
  FI: "helsinki, helsingfors, tampere, turku, espoo, oulu",
  IT: "rome, roma, milan, milano, turin, torino, naples, napoli, florence, firenze, bologna, venice",
  IE: "dublin, cork, galway",
  PL: "warsaw, warszawa, kraków, krakow, wrocław, gdańsk, poznań",
  PT: "lisbon, lisboa, porto",
  CZ: "prague, prag, praha, brno",
  HU: "budapest",
  GR: "athens, athen",
  RO: "bucharest, bukarest",
  CA: "toronto, montreal, vancouver, quebec, calgary, ottawa",
  AU: "sydney, melbourne, brisbane, perth, adelaide",
  NZ: "auckland, wellington",
  JP: "tokyo, osaka, kyoto",
  KR: "seoul",
  CN: "shanghai, beijing, shenzhen",
  IN: "mumbai, delhi, bangalore, bengaluru",
  AE: "dubai, abu dhabi",
  BR: "são paulo, rio de janeiro",
  MX: "mexico city, ciudad de méxico, cdmx, guadalajara, monterrey",
  AR: "buenos aires",
  TR: "istanbul, ankara",
  ZA: "cape town, johannesburg",
}

/** Months and days of a year that buyers call by a name. */
export const seasonWords: Readonly<Record<string, string>> = {
  "1-3":
    "q1, first quarter, 1st quarter, erstes quartal, ersten quartal, 1. quartal, premier trimestre, 1er trimestre, primer trimestre, eerste kwartaal, första kvartalet, første kvartal, t1",
  "4-6":
    "q2, second quarter, 2nd quarter, zweites quartal, zweiten quartal, 2. quartal, deuxième trimestre, 2e trimestre, segundo trimestre, tweede kwartaal, andra kvartalet, andet kvartal, andre kvartal, t2",
  "7-9":
    "q3, third quarter, 3rd quarter, drittes quartal, dritten quartal, 3. quartal, troisième trimestre, 3e trimestre, tercer trimestre, derde kwartaal, tredje kvartalet, tredje kvartal, t3",
  "10-12":
    "q4, fourth quarter, 4th quarter, viertes quartal, vierten quartal, 4. quartal, quatrième trimestre, 4e trimestre, cuarto trimestre, vierde kwartaal, fjärde kvartalet, fjerde kvartal, t4",
  "1-6":
    "h1, first half, erstes halbjahr, ersten halbjahr, premier semestre, primer semestre, första halvåret, første halvår",
  "7-12":
    "h2, second half, zweites halbjahr, zweiten halbjahr, deuxième semestre, second semestre, segundo semestre, andra halvåret, andet halvår, andre halvår",
  "11-11": "black friday, cyber monday, cyber week, black week, singles day",
  "11-12":
    "christmas, xmas, x mas, weihnachten, weihnacht, weihnachts, weihnachtsmarkt, advent, noël, navidad, kerst, kerstmis, jul, julen, joulu, holiday season, holiday gift, holiday shopping, holiday campaign",
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

/** Times that are counted from today: a unit and how many of them ahead. */
export const aheadWords: Readonly<Record<string, string>> = {
  "month 0":
    "this month, dieser monat, diesen monat, diesem monat, ce mois, este mes, deze maand, denna månad, denne måned, tässä kuussa",
  "month 1":
    "next month, nächster monat, nächsten monat, kommender monat, kommenden monat, mois prochain, prochain mois, mes que viene, próximo mes, mes próximo, volgende maand, komende maand, nästa månad, næste måned, neste måned, ensi kuu, ensi kuussa",
  "quarter 0": "this quarter, dieses quartal, diesem quartal, ce trimestre, este trimestre, dit kwartaal",
  "quarter 1":
    "next quarter, nächstes quartal, nächsten quartal, kommenden quartal, trimestre prochain, prochain trimestre, próximo trimestre, trimestre que viene, volgend kwartaal, nästa kvartal, næste kvartal, neste kvartal, ensi neljännes",
  "year 1":
    "next year, nächstes jahr, nächsten jahr, kommendes jahr, kommenden jahr, année prochaine, an prochain, próximo año, año que viene, volgend jaar, nästa år, næste år, neste år, ensi vuonna, ensi vuosi",
  "week 0":
    "this week, diese woche, dieser woche, cette semaine, esta semana, deze week, denna vecka, denne uge, denne uken",
  "week 1":
    "next week, nächste woche, nächster woche, kommende woche, semaine prochaine, semana que viene, próxima semana, volgende week, nästa vecka, næste uge, neste uke, ensi viikolla",
}

/** Before a number, a week of the year. */
export const weekWords =
  "week, calendar week, cw, wk, kw, kalenderwoche, woche, semaine, semana, vecka, v, uge, uke, viikko"

/** Words beside an amount: what it bounds. "Not" turns the first two into each other. */
export const boundWords: Readonly<Record<string, string>> = {
  most: "up to, max, maximum, under, below, less than, lower than, or less, nothing over, at most, tops, cap, capped at, ceiling, limit, limited to, bis, bis zu, höchstens, maximal, unter, weniger als, niedriger als, oder weniger, obergrenze, limit, jusqu'à, moins de, inférieur, inférieur à, inférieure à, maximum de, au plus, au maximum, plafond, plafonné à, ne dépassant pas, ne dépasse pas, sans dépasser, ou moins, hasta, menos de, inferior a, menor de, menor a, por debajo de, como máximo, como mucho, máximo, tope, o menos, tot, maximaal, onder, minder dan, lager dan, ten hoogste, hooguit, upp till, högst, max, mindre än, lägre än, op til, højst, mindre end, lavere end, opptil, høyst, mindre enn, lavere enn, maks, maksimalt, enintään, alle, korkeintaan, maksimi",
  least:
    "at least, minimum, min, from, over, more than, above, higher than, exceeding, exceed, or more, mindestens, ab, mehr als, höher als, über, übersteigen, oder mehr, au moins, plus de, supérieur à, supérieure à, dépasser, dépassant, ou plus, al menos, como mínimo, más de, superior a, mayor de, por encima de, superar, o más, minstens, meer dan, boven, hoger dan, minst, mer än, över, högre än, mindst, mere end, højere end, mer enn, høyere enn, yli, vähintään, enemmän kuin",
  between: "between, zwischen, entre, tussen, mellan, mellem, mellom, välillä",
  to: "to, and, until, through, bis, und, à, et, a, y, tot, en, till, och, til, og, ja, til og med",
  budget: "budget, spend, spending, total, investment, money, etat, presupuesto, budjetti, have",
  about: "about, around, roughly, ca, circa, approx, etwa, rund, environ, unos, ongeveer, cirka, noin",
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

/** What every brief says, and so says nothing. */
export const fillerWords =
  "let, know, less, next, nächste, nächsten, nächster, kommenden, prochain, prochaine, próximo, volgende, nästa, næste, neste, ensi, ad, ads, run of network, run of site, run of the network, run of station, run of schedule, run of book, run of press, run of house, ron, ros, home page, homepage, home screen, at home, advert, advertise, advertiser, advertising, advertisement, campaign, brand, buy, product, products, client, company, launch, launching, launched, new, want, wants, look, looking, seek, seeking, need, please, propose, proposal, inventory, reach, target, targeting, audience, awareness, objective, goal, kpi, flight, format, formats, placement, placements, spot, spots, rfp, team, thanks, hi, hello, hey, dear, plan, planning, anything, something, people, fan, fans, lover, lovers, owner, owners, user, users, reader, readers, market, markets, region, country, budget, spend, total, max, cheap, small, low, large, big, standard, price, prices, option, options, week, weeks, month, months, day, days, year, years, push, start, sell, sells, show, shows, ideally, preferred, prefer, next, this, last, early, late, mid, end, beginning, currently, per, pay, paid, only, werbung, werbekampagne, anzeige, anzeigen, kampagne, suchen, suche, sucht, möchten, wollen, erreichen, zielgruppe, marke, neue, neuer, neues, publicité, pub, annonce, annonces, campagne, cherchons, cherche, marque, public, publicidad, anuncio, anuncios, campaña, buscamos, marca, reclame, adverteren, advertentie, zoeken, bereiken, doelgroep, merk, reklam, reklame, annons, annonser, kampanj, kampanje, kampagne, søger, söker, mainos, mainonta, mainoskampanja, kampanja, suunnattu, spend, bezahlung, woche, wochen, jahr, monat, semaine, semana, vecka, uge, uke, viikko"
