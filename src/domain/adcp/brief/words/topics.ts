// What audiences are about, in the languages of briefs. A word of a topic in the brief finds products with other words of the same topic;
// a word that stands in both is worth more. Stems are compared, so that plurals and most endings need no entry.

export const topicWords: Readonly<Record<string, string>> = {
  running:
    "running, runner, runners, trail run, fun run, jogging, jogger, marathon, trail running, laufen, läufer, lauf, laufschuh, laufschuhe, course à pied, coureur, correr, corredor, hardlopen, hardloper, löpning, löpare, løb, løber, løping, juoksu, juoksija",
  fitness:
    "fitness, gym, workout, training, exercise, sportschool, sportscholen, fitnessstudio, salle de sport, gimnasio, träning, træning, trening, kuntosali, treadmill, bodybuilding, crossfit, bewegung",
  sport: "sport, sports, sportlich, deporte, urheilu, idrett, idrott, olympics, athlete",
  football:
    "football, soccer, fussball, fútbol, voetbal, fotboll, fodbold, fotball, jalkapallo, premier league, bundesliga, champions league, world cup, laliga",
  "winter sports":
    "ski, skiing, snowboard, skifahren, skiurlaub, esquí, skiën, skidor, hiihto, ski touring, ski resort, wintersport",
  "ice hockey": "ice hockey, hockey, eishockey, ishockey, ijshockey, jääkiekko",
  cycling:
    "cycling, cyclist, bike, bicycle, e bike, ebike, fahrrad, radfahren, radfahrer, vélo, cycliste, cyclisme, bicicleta, ciclismo, ciclista, fiets, fietsen, fietser, fietsers, cykel, cykling, cyklist, sykkel, pyöräily, pyöräilijä",
  outdoor:
    "outdoor, outdoors, hiking, hiker, mountain, climbing, climber, camping, camper, alps, alpine, trekking, wandern, wanderer, berge, klettern, randonnée, montagne, senderismo, montaña, wandelen, bergen wandelen, vandring, fjell, vaellus",
  travel:
    "travel, traveller, traveler, holiday, holidays, vacation, tourism, tourist, trip, city break, hotel, airline, beach, coast, resort, reise, reisen, urlaub, tourismus, voyage, voyages, vacances, tourisme, viaje, viajes, vacaciones, turismo, playa, costa, reis, vakantie, toerisme, resa, resor, semester, rejse, ferie, matka, matkailu, loma, island, islands, insel, inseln, reisebericht, reiseberichte, escapada",
  "business travel":
    "business traveller, business traveler, business travellers, business travelers, airport, flughafen, aéroport, aeropuerto, luchthaven, flygplats, lufthavn, lentokenttä, geschäftsreisende",
  food: "food, cooking, cook, recipe, recipes, kitchen, baking, dinner, restaurant, restaurants, foodie, meal, kochen, rezept, rezepte, küche, essen, cuisine, recette, recettes, cocina, receta, recetas, comida, koken, recepten, eten, matlagning, recept, madlavning, opskrift, matlaging, oppskrift, ruoka, ruoanlaitto, resepti, chocolate, snack, ernährung, nutrition",
  drinks:
    "wine, beer, spirits, whisky, drink, drinks, alcohol, alcoholic, alkohol, alcool, alcohol, liquor, wein, bier, vin, vins, bière, vino, cerveza, wijn, öl, viini, olut, vineyard, champagne, cocktail",
  parenting:
    "parent, parents, parenting, parental, mom, moms, mum, mums, dad, dads, mother, father, baby, babies, toddler, kids, children, child, family, families, eltern, familie, familien, kinder, parents d'enfants, enfant, enfants, famille, bébé, padres, madres, niños, familia, ouders, kinderen, gezin, föräldrar, barn, familj, forældre, børn, foreldre, vanhemmat, lapset, perhe, school run",
  pets: "pet, pets, dog, dogs, cat, cats, puppy, hund, hunde, katze, katzen, haustier, haustiere, chien, chat, animaux, perro, gato, mascotas, hond, honden, huisdier, katt, katter, husdjur, kæledyr, kjæledyr, koira, kissa, lemmikki",
  cars: "car, cars, auto, automotive, automobile, drivers, vehicle, motor, motoring, used car, car buyer, car dealership, dealer, autos, fahrzeug, voiture, coche, coches, bil, bilar, biler, autoilija",
  "electric cars":
    "electric car, electric cars, electric vehicle, ev, evs, e auto, elektroauto, elektroautos, elektromobilität, voiture électrique, coche eléctrico, elektrische auto, elbil, elbilar, elbiler, sähköauto, charging, charger, charging station, ladestation, ladestasjon, ladestasjoner, laddstation, ladestander, latausasema, laadpaal",
  technology:
    "technology, tech, gadget, gadgets, electronics, electronic, laptop, smartphone, phone, phones, televisions, elektronik, électronique, electrónica, elektronica, elektroniikka, technologie, tecnología, teknik, teknologi, teknologia, software, saas, cloud, computer, consumer electronics",
  developers:
    "developer, developers, engineer, engineers, engineering, programmer, programmers, software, software engineer, devops, coding, coder, entwickler, softwareentwickler, développeur, desarrollador, ontwikkelaar, utvecklare, udvikler, utvikler, kehittäjä, machine learning, api",
  "artificial intelligence":
    "ai, ki, artificial intelligence, machine learning, deep learning, künstliche intelligenz, ml, intelligence artificielle, inteligencia artificial, data science, tensor",
  "IT management":
    "it manager, it managers, cio, cios, cto, ctos, it decision makers, it decision maker, security, cyber security, cybersecurity, it security, erp, it entscheider, enterprise software, it leiter",
  business:
    "business, b2b, manager, managers, executive, executives, leader, leaders, leadership, decision maker, decision makers, entrepreneur, sme, smb, wirtschaft, unternehmer, unternehmen, führungskräfte, entscheider, dirigeant, entreprise, empresa, empresas, directivos, ondernemer, ondernemers, leidinggevenden, företag, chefer, ledare, ledere, erhverv, virksomhed, næringsliv, bedrift, yritys, johtaja, johtajat, strategy",
  startups:
    "startup, startups, start up, start ups, founder, founders, gründer, gründerin, gründerinnen, venture capital, vc, fondateur, fondateurs, emprendedor, emprendedores, oprichter, grundare, iværksætter, startup team",
  finance:
    "finance, financial, bank, banking, invest, investing, investor, investors, investment, stocks, stock market, fund, funds, saving, savings, pension, pensions, retirement, insurance, money, mortgage, finanzen, geld, sparen, anleger, börse, versicherung, argent, épargne, bourse, assurance, banque, finanzas, ahorro, inversión, inversores, banco, seguro, financiën, beleggen, verzekering, ekonomi, spara, aktier, økonomi, opsparing, aksjer, sparing, talous, säästäminen, sijoittaminen",
  fintech:
    "fintech, payment, payments, compliance, banking software, neobank, zahlungsverkehr, paiement, pagos, betalingen",
  health:
    "health, healthy, healthcare, wellness, wellbeing, nutrition, diet, vitamin, vitamins, supplement, pharmacy, medicine, sleep, gesundheit, gesund, ernährung, schlaf, apotheke, santé, bien être, pharmacie, salud, bienestar, farmacia, gezondheid, apotheek, hälsa, sundhed, helse, terveys, apotek, apteekki",
  mindfulness: "meditation, yoga, mindfulness, breathing, breath, calm, stress, relaxation, mental health, sleep",
  beauty:
    "beauty, skincare, skin care, skin, cosmetics, cosmetic, make up, makeup, hair, kosmetik, hautpflege, schönheit, beauté, cosmétique, soin, belleza, cosmética, schoonheid, skönhet, skønhed, hudvård, hudpleie, kauneus",
  fashion:
    "fashion, clothing, clothes, apparel, shoe, shoes, sneaker, sneakers, mode, kleidung, schuhe, vêtements, moda, ropa, kleding, kläder, tøj, klær, muoti, vaatteet",
  luxury:
    "luxury, watches, luxury watch, wristwatch, jewellery, jewelry, premium brand, luxus, uhren, luxe, montres, lujo, relojes",
  home: "home, house, home owner, home owners, homeowner, homeowners, diy, renovation, renovating, house building, home building, interior, interiors, furniture, decor, wohnen, haus, bauen, renovieren, möbel, einrichtung, maison, meuble, meubles, décoration, bricolage, hogar, muebles, decoración, wonen, huis, meubels, klussen, heminredning, hem, bolig, indretning, møbler, hjem, interiør, koti, sisustus, huonekalut",
  design:
    "design, designer, architecture, interior design, furniture design, sisustussuunnittelu, formgivning, diseño, vormgeving",
  gardening:
    "garden, gardening, gardener, plants, flowers, garten, gärtner, pflanzen, jardin, jardinage, plantes, jardín, jardinería, tuin, tuinieren, planten, trädgård, havearbejde, hage, puutarha, moestuin, vegetable garden",
  farming:
    "farm, farming, farmer, farmers, agriculture, agricultural, tractor, landwirt, landwirte, landwirtschaft, bauern, agriculteur, agriculteurs, agricultura, agricultor, boer, boeren, landbouw, lantbruk, bonde, bönder, landmand, landmænd, landbrug, bønder, landbruk, maatalous, maanviljelijä",
  gaming:
    "gaming, gamer, gamers, video game, video games, pc game, console, esports, gamers and players, console player, pc player, spiele, spieler, computerspiel, jeux vidéo, joueurs, videojuegos, jugadores, games, spel, spelare, spil, pelit, pelejä, peli, pelaaja, mobile game, game",
  music: "music, song, songs, concert, festival, festivals, musik, musique, música, muziek, musiikki, konsert, konzert",
  "film and series": "film, films, movie, movies, series, drama, arthouse, filme, película, películas, elokuva",
  "true crime":
    "true crime, crime, criminal, kriminalfall, kriminalfälle, kriminalfall, verbrechen, murder, mord, krimi, fait divers, faits divers, crimen, misdaad, rikos, thriller, unsolved cases",
  science:
    "science, scientific, physics, research, mathematics, wissenschaft, forschung, physik, sciences, ciencia, wetenschap, vetenskap, videnskab, vitenskap, tiede",
  news: "news, current affairs, nachrichten, actualité, actualités, noticias, nieuws, nyheter, nyheder, uutiset, uutisia, uutinen, journalism, daily news, politics, politik",
  climate:
    "climate, sustainability, sustainable, clean energy, green energy, renewable, environment, klima, nachhaltigkeit, nachhaltig, climat, durable, durabilité, clima, sostenibilidad, sostenible, duurzaam, duurzaamheid, klimat, hållbarhet, bæredygtighed, bærekraft, ilmasto, kestävyys, solar",
  students:
    "student, students, university, universities, campus, college, studenten, studierende, universität, uni, étudiant, étudiants, université, estudiante, estudiantes, universidad, universitario, studerande, studerende, opiskelija, opiskelijat, opiskelijoille, yliopisto",
  youth:
    "gen z, generation z, teen, teens, teenager, teenagers, young people, youth, jugendliche, jeunes, jóvenes, jongeren, ungdomar, unge, nuoret, young audience, junges publikum",
  commuters:
    "commuter, commuters, commuting, commute, underground, subway, metro, tube, train, pendler, bahn, u bahn, ubahn, navetteur, métro, viajero diario, forens, forenzen, treinreiziger, pendlare, tunnelbana, tunnelbanan, t bane, työmatkalainen, tram, traffic, drive time",
  jobs: "job, jobs, job ads, recruiting, recruitment, recruiter, recruiters, vacancy, vacancies, employer, employers, hiring, career, careers, stellenanzeigen, stellen, bewerber, emploi, recrutement, empleo, trabajo, vacature, vacatures, personeel, rekrytering, rekruttering, työpaikka, rekrytointi",
  shopping:
    "shopping, shopper, shoppers, deals, special offer, discount, cashback, mall, malls, black friday, einkaufen, käufer, angebote, achats, acheteurs, promotions, compras, compradores, ofertas, winkelen, aanbiedingen, handel, erbjudanden, tilbud, ostokset, retail",
  gambling:
    "gambling, betting, casino, lottery, glücksspiel, sportwetten, lotterie, paris sportifs, jeux d'argent, apuestas, loterie, gokken, kansspelen, vadslagning, uhkapeli",
  weather: "weather, wetter, météo, tiempo, weer, väder, vejr, vær, temperature, forecast, forecasts",
  local:
    "local, regional, local business, lokal, regional, locale, vecindad, lokaal, lokalt, paikallinen, neighbourhood, neighborhood, town, towns, lokalzeitung, lokalnachrichten",
  women: "women, woman, female, frauen, femmes, mujeres, vrouwen, kvinnor, kvinder, kvinner, naiset",
}

/** Who does not want a topic does not want these either. */
export const narrowerTopics: Readonly<Record<string, readonly string[]>> = {
  sport: ["football", "running", "winter sports", "ice hockey", "cycling"],
  travel: ["business travel"],
  cars: ["electric cars"],
  technology: ["developers", "artificial intelligence"],
  business: ["startups"],
}
