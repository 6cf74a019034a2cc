import { memoize, once } from "../../../memoize.ts"
import { type Language, languages } from "./languages.ts"
import { fold, stem } from "./tokens.ts"

// The same subject in four languages: en | de | fr | es. A product with one of the words is found by the
// others; only a hint, of which nothing is ever said.
const table = `
hiking hiker trekking hike trail | wandern wanderer wanderung wanderschuh bergtour hütte berg alpin | randonnée randonneur trek montagne | senderismo senderista excursionismo montaña ruta
climbing mountaineering climber | klettern bergsteigen klettersteig | escalade alpinisme | escalada alpinismo
ski skiing snowboard skier piste | ski skifahren snowboard lift skigebiet talstation | ski snowboard neige télésiège | esquí snowboard nieve
camping caravan motorhome campsite | camping wohnmobil wohnwagen zelt | camping caravane tente | camping caravana acampada
running runner marathon jogging | laufen läufer marathon joggen laufschuh | course coureur marathon footing | correr corredor maratón
cycling cyclist bicycle bike | radfahren radfahrer fahrrad rad rennrad lastenrad gravel | vélo cycliste cyclisme | ciclismo ciclista bicicleta bici
fitness gym workout treadmill | fitness fitnessstudio training sportstudio | fitness musculation salle | fitness gimnasio entrenamiento
yoga meditation mindfulness calm | yoga meditation achtsamkeit | yoga méditation | yoga meditación
football soccer league | fußball fussball bundesliga | football foot ligue | fútbol futbolero liga
tennis golf padel | tennis golf | tennis golf | tenis golf pádel
sport sports athlete | sport sportler sportlich | sport sportif | deporte deportista deportivo
sailing boat yacht | segeln boot yacht segler | voile bateau nautique | vela barco navegación náutica
fishing angler | angeln angler fischen | pêche pêcheur | pesca pescador
hunting hunter | jagd jäger | chasse chasseur | caza cazador
horse riding equestrian | pferd reiten reiter | cheval équitation | caballo equitación hípica
motorcycle motorbike biker | motorrad biker motorräder | moto motard | moto motocicleta motero
car cars automotive vehicle driver | auto autos pkw kfz fahrzeug autofahrer | voiture automobile auto conducteur | coche automóvil vehículo conductor
electric charging ev | elektro elektroauto ladestation | électrique recharge | eléctrico recarga
truck logistics freight | lkw logistik spedition fracht | camion logistique transport | camión logística transporte
underground subway metro commuter tube | u-bahn pendler nahverkehr | métro navetteur | metro andén pasajero
bus shelter | bus haltestelle bushaltestelle | bus abribus | autobús marquesina
airport airline flight flyer | flughafen airline flug vielflieger | aéroport avion vol | aeropuerto aerolínea vuelo
travel traveller traveler holiday trip tourism vacation getaway | reise reisen urlaub tourismus reisende kurztrip | voyage voyageur vacances tourisme escapade | viaje viajero vacaciones turismo escapada
hotel resort | hotel unterkunft | hôtel séjour | hotel alojamiento
cruise | kreuzfahrt | croisière | crucero
parent parents mum mom mother dad father parenting | eltern mutter mütter vater väter mama papa | parent parents maman papa mère père | padre madre padres mamá papá
family families | familie familien | famille | familia
child children kid kids | kind kinder kita | enfant enfants petits | niño niña niños hijos infantil
baby babies newborn toddler pregnancy infant nappy | baby babys säugling schwangerschaft kleinkind wickeln windel | bébé nourrisson grossesse puériculture | bebé embarazo recién pañal
toy toys | spielzeug | jouet jouets | juguete juguetes
school pupil teacher | schule schüler lehrer | école élève enseignant | escuela colegio alumno profesor
student university campus college | student studierende studis hochschule universität campus | étudiant université campus | estudiante universidad universitario
senior retiree pensioner retired elderly | senioren rentner ruhestand best-ager | senior retraité retraités | mayores jubilado jubilados
women female | frau frauen weiblich | femme femmes féminin | mujer mujeres femenino
men male | mann männer männlich | homme hommes masculin | hombre hombres masculino
young youth teen teenager | jung jugend jugendliche junge teenager | jeune jeunes ado adolescents | joven jóvenes adolescente
cooking cook recipe recipes kitchen baking chef meal | kochen rezept rezepte küche backen koch backmischung | cuisine recette recettes cuisiner pâtisserie cuisinier chef | cocina receta recetas cocinar repostería cocinero
food eating grocery nutrition snack | essen lebensmittel ernährung nahrung snack | alimentation aliment nourriture épicerie | comida alimentación alimento
vegan vegetarian organic | vegan vegetarisch bio | végane végétarien végétarienne bio | vegano vegetariano ecológico
restaurant gastronomy dining | restaurant gastronomie gastro | restaurant gastronomie | restaurante gastronomía hostelería
wine vineyard winery | wein winzer weine weinhandel | vin vigneron vignoble caviste domaine | vino viñedo bodega
beer brewery craft-beer | bier brauerei biermarke | bière brasserie | cerveza cervecería
spirits gin whisky cocktail | spirituosen gin whisky | spiritueux gin whisky | ginebra whisky licor
coffee tea | kaffee tee | café thé | café té
garden gardening gardener plants lawn allotment | garten gärtner gartenfreunde rasen pflanzen hobbygärtner rasenmäher beet | jardin jardinage jardinier plantes | jardín jardinería plantas césped
diy tools hardware handyman woodworking | heimwerker baumarkt werkzeug handwerker schreinern tischlern bohrmaschine | bricolage outils bricoleur | bricolaje herramientas taller
furniture interior decor homeware | möbel einrichtung wohnen | meuble décoration intérieur | mueble decoración hogar
construction building architect builder | bau bauleiter baustelle architekt handwerk bausoftware | construction bâtiment chantier architecte | construcción obra arquitecto
property housing mortgage homeowner estate | immobilien eigenheim wohnung hausbesitzer | immobilier logement propriétaire | inmobiliaria vivienda hipoteca propietario
farm farmer farming agriculture tractor | landwirt landwirtschaft bauer hof traktor acker melkroboter stall | agriculteur agriculture ferme tracteur agricole | agricultor agricultura agrícola granja tractor
machinery industry manufacturing industrial | maschine maschinenbau industrie fertigung | machine industrie industriel usine | maquinaria industria industrial fábrica
energy solar power heating | energie solar strom photovoltaik wärmepumpe | énergie solaire | energía solar
climate sustainability sustainable environment | klima nachhaltig nachhaltigkeit umwelt | climat durable environnement écologie | clima sostenible sostenibilidad medioambiente
finance investing investor investment money stocks fund etf | geldanlage anleger börse finanzen aktien etf sparplan investieren | finance investisseur bourse placement | finanzas inversión inversor bolsa mercados fondos
savings pension retirement | altersvorsorge rente vorsorge ersparnisse | épargne retraite | ahorro jubilación pensión
bank banking credit loan | bank banking kredit konto | banque crédit prêt | banco banca crédito préstamo
insurance insurer | versicherung versicherer | assurance assureur | seguro aseguradora
tax accounting accountant | steuer buchhaltung steuerberater | impôt comptable comptabilité | impuestos contable contabilidad
business entrepreneur founder startup company sme | unternehmer gründer startup mittelstand | entreprise entrepreneur fondateur startup pme | empresa empresario emprendedor startup pyme
manager executive director leader cto ceo | manager führungskraft entscheider geschäftsführer cto | dirigeant cadre directeur cto | directivo gerente director cto
hr recruiting hiring jobs career recruitment | personal recruiting jobs karriere bewerber | recrutement emploi carrière rh | empleo reclutamiento rrhh carrera
law lawyer legal | recht anwalt jurist | droit avocat juridique | derecho abogado jurídico
developer developers software programmer devops engineer platform coding saas | entwickler software programmierer devops ingenieur | développeur logiciel ingénieur informatique devops | desarrollador software programador ingeniero informática
ai machine-learning ml | ki machine-learning maschinelles | ia | ia
technology tech gadget electronics computer | technik technologie elektronik computer | technologie tech électronique ordinateur | tecnología electrónica ordenador
security cybersecurity privacy | sicherheit cybersicherheit datenschutz | sécurité cybersécurité | seguridad ciberseguridad
science research | wissenschaft forschung forscher | science recherche scientifique | ciencia investigación científico
health wellness medical healthcare medicine | gesundheit medizin gesund erkältung | santé médecine médical | salud medicina bienestar médico
doctor physician nurse | arzt ärzte ärztin praxis pflege | médecin médecins infirmier | médico médicos enfermería enfermera
dentist dental | zahnarzt zahnärzte dental zahnarztpraxis kieferorthopädie | dentiste dentistes dentaire | dentista dental odontólogo
pharmacy pharmacies pharmacist drugstore | apotheke apotheken apotheker drogerie | pharmacie pharmacies pharmacien | farmacia farmacias farmacéutico
beauty cosmetics skincare makeup | beauty kosmetik schönheit hautpflege | beauté cosmétique maquillage | belleza cosmética maquillaje
fashion clothing apparel style shoes | mode kleidung bekleidung schuhe modelabel | mode vêtement défilé chaussures | moda ropa calzado zapatos
luxury jewellery jewelry watches | luxus schmuck uhren | luxe bijoux montres | lujo joyas relojes
film movie films series drama comedy | film filme serie serien spielfilm | film série séries comédie | película películas serie series comedia
arthouse auteur | arthouse programmkino | auteur | autor
documentary documentaries | doku dokumentation | documentaire | documental
music concert festival band | musik konzert festival | musique concert festival | música concierto festival
jazz soul lounge blues | jazz soul lounge | jazz soul | jazz soul
classical opera orchestra | klassik oper orchester | classique opéra | clásica ópera
art museum culture theatre exhibition | kunst museum kultur theater | art musée culture théâtre exposition | arte museo cultura teatro exposición
history historical | geschichte historisch | histoire historique | historia histórico
crime detective murder mystery true-crime | krimi verbrechen true-crime kriminalfall | crime enquête | crimen crímenes misterio
news newspaper journalism | nachrichten zeitung tageszeitung | actualité actualités journal info | noticias actualidad periódico informativo
politics political election | politik politisch wahl | politique élection | política político elecciones
weather forecast rain | wetter regen regenradar wetterstation | météo pluie | tiempo meteorología lluvia
game games gamer gaming player console esports | spiel spiele gamer spieler handyspiel konsole | jeu jeux joueur gamer console | juego juegos videojuego jugador consola
sewing knitting crochet quilting needlework yarn | nähen stricken häkeln handarbeit näherin garn | couture tricot couturière coudre | costura ganchillo coser tejer
crafts scrapbooking pottery handmade | basteln töpfern kunsthandwerk | artisanat poterie | manualidades cerámica artesanía
photography photographer camera | fotografie fotograf kamera | photographie photographe | fotografía fotógrafo
birdwatching birder birdwatcher bird ornithology | vogel vogelbeobachtung vögel ornithologie | oiseau oiseaux ornithologie | ave aves ornitología
collecting collector antiques stamps coins | sammler antiquitäten briefmarken münzen | collectionneur antiquités timbres | coleccionista antigüedades sellos
boardgame chess | brettspiel gesellschaftsspiel schach kartenspiel | échecs | ajedrez
genealogy ancestry | ahnenforschung genealogie stammbaum | généalogie généalogiste ancêtres | genealogía antepasados
guitar piano musician instrument | gitarre klavier musiker | guitare musicien | guitarra músico
dance dancing ballet | tanz tanzen ballett | danse danseur ballet | baile danza bailarín
aquarium reptile terrarium | aquarium aquaristik terrarium | aquarium aquariophilie | acuario terrario
vet veterinary veterinarian | tierarzt tierärzte tiermedizin veterinär | vétérinaire véto | veterinario veterinaria
church christian gospel faith religion | kirche christlich glaube religion | église chrétien religion | iglesia cristiano religión
astrology esoteric spirituality | astrologie esoterik spiritualität | astrologie spiritualité | astrología espiritualidad
astronomy telescope stargazing space | astronomie teleskop sternwarte | astronomie télescope | astronomía telescopio
diving scuba diver freediving | tauchen taucher | plongée plongeur apnée | buceo buceador
surfing surfer | surfen surfer wellenreiten | surf surfeur | surf surfista
swimming swimmer | schwimmen schwimmer | natation nageur | natación nadador
basketball | basketball | basket basketball | baloncesto
rugby cricket baseball | rugby | rugby | rugby béisbol
motorsport racing formula | motorsport rennsport rennen | rallye | automovilismo
boxing wrestling martial | boxen kampfsport | boxe | boxeo
handball volleyball hockey | handball volleyball eishockey | handball volley hockey | balonmano voleibol
tattoo tattooist ink | tattoo tätowierer tätowierung | tatouage tatoueur | tatuaje tatuador
charity ngo donation nonprofit | spenden verein stiftung | association don solidarité | ong donación fundación
pharma biotech clinical | pharma biotech | pharmaceutique biotech | farmacéutica biotecnología
puzzle strategy quiz | puzzle strategie rätsel quiz | puzzle stratégie quiz | puzle estrategia
dog dogs puppy | hund hunde hundebesitzer welpe | chien chiens chiot | perro perros cachorro
cat cats kitten | katze katzen | chat chats | gato gatos
pet pets animal | haustier haustiere tier tiere | animaux animal | mascota mascotas animal
nature wildlife outdoor outdoors | natur tierwelt outdoor | nature | naturaleza
wedding bride | hochzeit braut | mariage mariée | boda novia
christmas xmas | weihnachten weihnachts | noël | navidad
supermarket grocer groceries convenience | supermarkt lebensmittelhandel | supermarché épicerie hypermarché | supermercado
shop shopping retail shopper ecommerce store | einkaufen onlineshop handel shop | boutique achats shopping commerce | tienda compras comercio
voucher coupon cashback deals discount | gutschein rabatt cashback schnäppchen | bon promo réduction cashback | cupón descuento cashback ofertas
morning breakfast | morgen morgens frühstück früh morgenshow | matin matinale | mañana matinal desayuno
traffic motorway | verkehr autobahn stau | circulation autoroute | tráfico autopista
sleep | schlaf schlafen | sommeil | sueño dormir
programmatic auction rtb | programmatisch auktion programmatic | programmatique enchère enchères | programático programática subasta
cpc click | klick klickpreis | clic | clic
sponsorship sponsor patronage | sponsoring patenschaft sponsor | parrainage sponsor | patrocinio patrocinar
advertorial native | advertorial native | publirédactionnel publireportage natif sponsorisé | publirreportaje nativo
mobile app smartphone phone | mobil app handy smartphone unterwegs | mobile appli application | móvil app aplicación
newsletter bulletin subscriber | newsletter abonnent empfänger | newsletter lettre abonné | boletín suscriptor
screen screens | bildschirm bildschirme screens stele | écran écrans | pantalla pantallas
english | englisch | anglais | inglés
german | deutsch | allemand | alemán
french | französisch | français | francés
spanish | spanisch | espagnol | español
vienna viennese | wien wiener | vienne | viena
munich | münchen | munich | múnich
geneva | genf | genève | ginebra
bavaria bavarian | bayern bayerisch | bavière | baviera
tyrol | tirol | tyrol | tirol
london | london | londres | londres
rome | rom | rome | roma
milan | mailand | milan | milán
lisbon | lissabon | lisbonne | lisboa
scotland scottish | schottland | écosse | escocia`

const columns = once(() => {
  const all: Readonly<Record<Language, Map<string, number>>> = {
    en: new Map(),
    de: new Map(),
    fr: new Map(),
    es: new Map(),
  }
  for (const [number, row] of table.trim().split("\n").entries())
    for (const [nth, text] of row.split("|").entries())
      for (const written of text.match(/\S+/g) ?? []) {
        const key = stem(fold(written.replaceAll("-", "")))
        const column = all[languages[nth] as Language]
        if (!column.has(key)) column.set(key, number)
      }
  return all
})

/** The subject that a stem stands for, in a language if that is certain. */
export function subjectOf(key: string, language: Language | undefined): number | undefined {
  const all = columns()
  if (language !== undefined) return all[language].get(key) ?? all.en.get(key)
  for (const each of languages) {
    const number = all[each].get(key)
    if (number !== undefined) return number
  }
  return undefined
}

const PART_MIN = 4
const COMPOUND_MIN = 8
const WORDS_REMEMBERED = 20_000

/** The subject of a part of a long German word: "Motorradtests", "Hobbygärtner". 0 for none, and otherwise one more, to be remembered. */
const subjectInGerman = memoize(WORDS_REMEMBERED, (word: string): number => {
  for (let length = word.length - PART_MIN + 1; length >= PART_MIN; length--) {
    const subject =
      subjectOf(stem(word.slice(0, length)), "de") ?? subjectOf(stem(word.slice(word.length - length)), "de")
    if (subject !== undefined) return subject + 1
  }
  return 0
})

export function subjectInside(word: string, language: Language | undefined): number | undefined {
  const found = word.length < COMPOUND_MIN || (language ?? "de") !== "de" ? 0 : subjectInGerman(word)
  return found === 0 ? undefined : found - 1
}
