import { memoize, once } from "../../../memoize.ts"
import { type Language, languages } from "./languages.ts"
import { fold, stem } from "./tokens.ts"

// The same subject in four languages: en | de | fr | es. A product with one of the words is found by the
// others; only a hint, of which nothing is ever said.
const table = `
hiking hiker trekking hike trail walker rambler backpacking | wandern wanderschuh bergtour hütte berg alpin wanderweg wanderurlaub gipfel alpen | randonnée randonneur montagne marcheur sentier sommet alpes | senderismo senderista excursionismo montaña ruta caminata caminante sendero
climbing mountaineering | klettern bergsteigen klettersteig | escalade alpinisme | escalada alpinismo
ski skiing snowboard skier piste snow slope | skifahren lift skigebiet talstation schnee langlauf | neige télésiège skieur skiable | esquí nieve esquiador
camping caravan motorhome campsite tent campervan rv | wohnmobil wohnwagen zelt campingplatz | fourgon camping-car | acampada autocaravana campista
running marathon jogging parkrun | laufen laufschuh halbmarathon | course footing courir foulée | correr corredor maratón zapatillas
cycling cyclist bicycle bike ebike pedal | radfahren fahrrad rad rennrad lastenrad gravel radler radtour radweg | vélo cyclisme cyclotourisme vtt | ciclismo ciclista bicicleta bici pedalear
fitness gym workout treadmill exercise pilates crossfit | fitnessstudio training sportstudio krafttraining | musculation salle entraînement | gimnasio entrenamiento ejercicio
yoga meditation mindfulness calm | achtsamkeit | | meditación
football soccer league supporter stadium match | fußball bundesliga stadion fußballfan | ligue stade | fútbol liga estadio partido hincha
tennis golf padel | | | tenis
sport athlete | sportler sportlich | sportif | deporte deportista deportivo
sailing boat yacht harbour marina canal kayak skipper sailor | segeln boot segler hafen kajak kanu matrose | voile bateau nautique voilier port plaisancier | vela barco navegación náutica puerto velero
fishing angler | angeln fischen | pêche | pesca pescador
hunting | jagd jäger | chasse | caza cazador
horse riding equestrian rider pony stable | pferd reiten reiterin reitsport | cheval équitation cavalier chevaux écurie | caballo equitación hípica jinete yegua
motorcycle motorbike biker | motorrad | moto motard | moto motocicleta motero
car automotive vehicle driver garage motoring mechanic tyre dealership | auto pkw kfz fahrzeug autofahrer werkstatt autohaus reifen oldtimer | voiture automobile auto conducteur garagiste pneu | coche automóvil vehículo conductor neumático concesionario
electric charging ev | elektro elektroauto ladestation | électrique recharge | recarga
truck logistics freight lorry haulage haulier warehouse forklift | lkw logistik spedition fracht lastwagen spediteur fernfahrer gabelstapler lager | camion logistique transport routier poids-lourd entrepôt | camión transporte camionero transportista almacén carretilla
underground subway metro commuter tube | u-bahn pendler nahverkehr | navetteur | andén pasajero
bus shelter | haltestelle bushaltestelle | abribus | autobús marquesina
airport airline flight flyer | flughafen flug vielflieger | aéroport avion vol | aeropuerto aerolínea vuelo
travel traveller holiday trip tourism vacation getaway tourist holidaymaker | reise urlaub tourismus reisende kurztrip ferien ferienwohnung | voyage vacances escapade vacancier gîte | viaje vacaciones turismo escapada turista
hotel resort | unterkunft | séjour | alojamiento
cruise | kreuzfahrt | croisière | crucero
parent mum mom mother dad father family-life grandparent | eltern mutter vater mama papa großeltern oma opa | maman papa mère père grands-parents | padre madre mamá papá abuelos crianza
family | familie | famille | familia
child children kid preschool | kind kita kindergarten | enfant petits crèche maternelle gamin | niño niña hijos infantil guardería peque
baby babies newborn toddler pregnancy infant nappy pregnant midwife pram cot | säugling schwangerschaft kleinkind wickeln windel schwanger hebamme kinderwagen | bébé nourrisson grossesse puériculture enceinte poussette couche sage-femme | bebé embarazo recién pañal embarazada cochecito matrona
toy | spielzeug | jouet | juguete
school pupil teacher classroom tutor lesson | schule lehrer lehrerin unterricht nachhilfe | école élève enseignant prof lycée collège | escuela colegio alumno profesor maestro aula clases
student university campus college undergraduate freshers graduate | studierende studis hochschule universität studentin studium uni mensa | étudiant fac licence études | estudiante universidad universitario facultad
senior retiree pensioner retired elderly older over-60 | rentner ruhestand best-ager ältere | retraité âgé aîné | mayores jubilado pensionista
women female | frau weiblich | femme féminin | mujer femenino
men male | mann männlich | homme masculin | hombre masculino
young youth teen teenager | jung jugend jugendliche | jeune ado adolescents | joven adolescente
cooking recipe kitchen baking chef meal foodie cookbook dinner stove oven | kochen rezept küche backen backmischung kochbuch herd hobbykoch hobbyköchin backofen | cuisine recette pâtisserie cuisinier fourneaux gourmand mijoter | cocina receta cocinar repostería fogones hornear
food eating grocery nutrition snack cheese bakery butcher gourmet delicatessen chocolate | essen lebensmittel ernährung nahrung käse bäckerei metzgerei feinkost schokolade | alimentation aliment nourriture épicerie fromage boulangerie boucherie | comida alimentación alimento queso panadería carnicería
vegan vegetarian organic | vegetarisch bio | bio | ecológico
restaurant gastronomy dining pub bar hospitality caterer | gastronomie gastro wirt kneipe gasthaus café | gastronomie bistrot traiteur hôtellerie | gastronomía hostelería tapas hostelero
wine vineyard winery cellar sommelier | wein winzer weinhandel weingut weinkeller weinfreund | vin vigneron vignoble caviste domaine cave cépage | vino viñedo bodega sumiller
beer brewery craft-beer | bier brauerei biermarke | bière brasserie | cerveza cervecería
spirits gin whisky cocktail | spirituosen | spiritueux | ginebra licor
coffee tea | kaffee tee | café thé | café té
garden plants lawn allotment seeds bulbs vegetable flower compost greenhouse | garten gartenfreunde rasen pflanzen hobbygärtner rasenmäher beet saatgut gemüse blumen hochbeet gewächshaus baumschule | jardin jardinage jardinier semences potager fleurs légumes | jardín jardinería césped semillas huerto flores
diy tools hardware handyman woodworking drill renovation carpenter repair workbench | heimwerker baumarkt werkzeug handwerker schreinern tischlern bohrmaschine renovieren säge reparieren | bricolage outils bricoleur menuisier perceuse réparer | bricolaje herramientas taller taladro carpintero reforma reparar
furniture interior decor homeware sofa bed curtain | möbel einrichtung wohnen bett vorhang | meuble décoration intérieur canapé lit rideau | mueble decoración hogar cama cortina
construction building architect roofer plumber electrician insulation | bau bauleiter baustelle architekt bausoftware dachdecker klempner elektriker dämmung sanierung | bâtiment chantier couvreur plombier isolation | construcción obra arquitecto fontanero electricista aislamiento albañil
property housing mortgage homeowner estate landlord flat apartment | immobilien eigenheim hausbesitzer haus vermieter makler | immobilier logement propriétaire maison appartement bailleur | inmobiliaria vivienda hipoteca propietario casa piso alquiler
farm agriculture tractor livestock dairy cattle crop barn | landwirt landwirtschaft bauer hof traktor acker melkroboter stall kuh kühe vieh milchvieh ernte bäuerin | agriculteur ferme tracteur agricole bétail vache élevage | agricultor agrícola granja ganadero vaca cosecha
machinery industry manufacturing industrial factory engineering | maschine maschinenbau industrie fertigung fabrik anlagenbau | industrie industriel usine atelier mécanique | maquinaria industria fábrica mecánica
energy solar power heating electricity boiler gas heat-pump | energie strom photovoltaik wärmepumpe heizung ökostrom | énergie solaire chauffage gaz | energía electricidad calefacción
climate sustainability sustainable environment | klima nachhaltig nachhaltigkeit umwelt | durable environnement écologie | clima sostenible sostenibilidad medioambiente
finance investing investor investment money stocks fund etf shares trading broker | geldanlage anleger börse finanzen aktien sparplan investieren sparen depot | investisseur bourse placement actions épargnant | finanzas inversión inversor bolsa mercados fondos acciones ahorrar
savings retirement | altersvorsorge vorsorge ersparnisse | épargne | ahorro jubilación pensión
bank credit loan card | kredit konto girokonto sparkasse | banque prêt compte carte | banco préstamo cuenta tarjeta
insurance insurer | versicherung | assurance assureur | seguro aseguradora
tax accounting accountant invoice bookkeeping | steuer buchhaltung steuerberater rechnung finanzamt | impôt comptable comptabilité facture facturation expert-comptable fisc | impuestos contable contabilidad factura gestoría asesoría
business entrepreneur founder startup company sme freelancer self-employed owner firm | unternehmer gründer mittelstand selbständig selbstständige freiberufler | entreprise fondateur pme indépendant patron auto-entrepreneur | empresa empresario emprendedor pyme autónomo
manager executive director leader cto ceo decision-maker boss board | führungskraft entscheider geschäftsführer chef vorstand leitung | dirigeant cadre directeur décideur chef | directivo gerente jefe decisor
hr recruiting hiring jobs career recruitment vacancy employee applicant apprentice | personal karriere bewerber stelle stellenmarkt mitarbeiter azubi ausbildung fachkräfte | recrutement emploi carrière rh salarié apprenti candidat | empleo reclutamiento rrhh carrera vacante trabajador aprendiz
law lawyer legal solicitor attorney court | recht anwalt jurist kanzlei anwältin gericht | droit avocat juridique tribunal notaire | derecho abogado jurídico bufete tribunal
developer software programmer devops engineer platform coding saas code it-professional | entwickler programmierer ingenieur informatiker it | logiciel ingénieur informatique informaticien | desarrollador programador ingeniero informática código
ai machine-learning ml | ki maschinelles | ia | ia
technology tech gadget electronics computer | technik technologie elektronik | technologie électronique ordinateur | tecnología ordenador
security cybersecurity privacy | sicherheit cybersicherheit datenschutz | | seguridad ciberseguridad
science research | wissenschaft forschung | recherche scientifique | ciencia investigación científico
health wellness medical healthcare medicine hospital clinic patient therapy | gesundheit medizin gesund erkältung krankenhaus klinik therapie | santé médecine hôpital clinique kiné | salud bienestar médico paciente
doctor physician nurse ward surgery waiting-room | arzt ärztin praxis pflege wartezimmer hausarzt krankenschwester pflegekraft | infirmier soignant cabinet | enfermería enfermera sala-de-espera sanitario
dentist dental | zahnarzt zahnarztpraxis kieferorthopädie | dentaire | odontólogo
pharmacy pharmacist drugstore | apotheke drogerie | pharmacie | farmacia farmacéutico
beauty cosmetics skincare makeup hairdresser perfume salon | kosmetik schönheit hautpflege friseur parfum creme | cosmétique maquillage coiffeur parfum crème | belleza maquillaje peluquería crema
fashion clothing apparel style shoes dress knitwear sneakers wardrobe designer | mode kleidung bekleidung schuhe modelabel strickwaren garderobe turnschuhe | mode vêtement défilé chaussures robe maille tenue | moda ropa calzado zapatos vestido prenda
luxury jewellery jewelry watches | luxus schmuck uhren | luxe bijoux montres | lujo joyas relojes
film movie series drama comedy cinema moviegoer filmgoer | spielfilm kino kinogänger | comédie cinéphile | película comedia cine cinéfilo estreno
arthouse auteur | programmkino | | autor
documentary | doku dokumentation | documentaire | documental
music concert festival band singer song choir vinyl headphones | musik konzert sänger chor lied schallplatte | musique chanteur choeur chanson mélomane | concierto cantante coro canción vinilo
jazz soul lounge blues | | |
classical opera orchestra | klassik orchester | classique | clásica
art museum culture theatre exhibition gallery stage actor | kunst kultur theater bühne galerie ausstellung schauspiel | musée exposition galerie spectacle scène | arte museo teatro exposición galería escenario
history historical century castle | geschichte historisch jahrhundert mittelalter burg | histoire historique siècle château patrimoine | historia histórico siglo castillo patrimonio
crime detective murder mystery true-crime | krimi verbrechen kriminalfall | enquête | misterio
news newspaper journalism headline reporter local-news | nachrichten zeitung tageszeitung lokalnachrichten wochenblatt schlagzeile | actualité journal info hebdo quotidien | noticias actualidad periódico informativo diario semanario
politics political election | politik politisch wahl | politique | elecciones
weather forecast rain | wetter regen regenradar wetterstation | météo pluie | tiempo meteorología lluvia
game gamer gaming player console esports videogame playstation | spiel handyspiel konsole videospiel computerspiel zocker | jeu jeux joueur jeu-vidéo manette | juego videojuego jugador
sewing knitting crochet quilting needlework yarn | nähen stricken häkeln handarbeit näherin garn | couture tricot couturière coudre | costura ganchillo coser tejer
crafts scrapbooking pottery handmade | basteln töpfern kunsthandwerk | artisanat poterie | manualidades cerámica artesanía
photography camera | fotografie fotograf kamera | photographie | fotografía fotógrafo
birdwatching birder ornithology | vogel vogelbeobachtung ornithologie | oiseau ornithologie | ave ornitología
collecting collector antiques stamps coins | sammler antiquitäten briefmarken münzen | collectionneur antiquités timbres | coleccionista antigüedades sellos
boardgame chess | brettspiel gesellschaftsspiel schach kartenspiel | échecs | ajedrez
genealogy ancestry | ahnenforschung genealogie stammbaum | généalogie généalogiste ancêtres | genealogía antepasados
guitar piano musician instrument | gitarre klavier | | músico
dance ballet | tanz | danse | baile danza bailarín
aquarium reptile terrarium | aquaristik | aquariophilie | acuario terrario
vet veterinary veterinarian | tierarzt tiermedizin | vétérinaire véto |
church christian gospel faith religion | kirche christlich glaube | église chrétien | iglesia cristiano
astrology esoteric spirituality | astrologie esoterik spiritualität | astrologie | astrología espiritualidad
astronomy telescope stargazing space | astronomie teleskop sternwarte | astronomie | astronomía telescopio
diving scuba diver freediving | tauchen | plongée apnée | buceo buceador
surfing | wellenreiten | | surfista
swimming | schwimmen | natation nageur | natación nadador
basketball | | basket | baloncesto
rugby cricket baseball | | | béisbol
motorsport racing formula | rennsport rennen | rallye | automovilismo
boxing wrestling martial | boxen kampfsport | boxe | boxeo
handball volleyball hockey | eishockey | volley | balonmano voleibol
tattoo tattooist ink | tätowierer | tatouage tatoueur | tatuaje tatuador
charity ngo donation nonprofit | spenden verein stiftung | association don solidarité | ong donación fundación
pharma biotech clinical | | pharmaceutique | biotecnología
puzzle strategy quiz | strategie rätsel | stratégie | puzle estrategia
dog puppy canine leash kennel | hund hundebesitzer welpe hundefutter hundehalter leine | chien chiot croquettes laisse | perro cachorro pienso
cat kitten | katze | chat | gato
pet animal breeder | haustier tier tierhalter züchter | animaux animalerie | mascota dueño criador
nature wildlife outdoor forest woodland conservation | tierwelt wald naturschutz | forêt bois | naturaleza bosque
wedding bride groom bridal | hochzeit braut brautpaar bräutigam heiraten | mariage mariée | boda novia casarse
christmas xmas | weihnachten | noël | navidad
supermarket convenience aisle checkout | supermarkt lebensmittelhandel kasse discounter | supermarché hypermarché caisse grande-surface | supermercado caja hipermercado
shop retail ecommerce store | einkaufen onlineshop handel | boutique achats commerce | tienda compras comercio
voucher coupon cashback deals discount | gutschein rabatt schnäppchen | bon promo réduction | cupón descuento ofertas
morning breakfast | morgen frühstück früh morgenshow | matin matinale | mañana matinal desayuno
traffic motorway | verkehr autobahn stau | circulation autoroute | tráfico autopista
sleep | schlaf | sommeil | sueño dormir
programmatic auction rtb | programmatisch auktion | programmatique enchère | programático subasta
cpc click | klick klickpreis | clic | clic
sponsorship sponsor patronage | patenschaft | parrainage | patrocinio patrocinar
advertorial native | | publirédactionnel publireportage natif sponsorisé | publirreportaje
mobile app smartphone phone | handy unterwegs | appli application | móvil aplicación
newsletter bulletin subscriber | abonnent empfänger | lettre abonné | boletín suscriptor
screen | bildschirm stele | écran | pantalla
english | englisch | anglais | inglés
german | deutsch | allemand | alemán
french | französisch | français | francés
spanish | spanisch | espagnol | español
vienna | wien | |
munich | münchen | |
geneva | genf | |
bavaria | bayern bayerisch | bavière | baviera
tyrol | tirol | | tirol
london | | londres | londres
rome | rom | | roma
milan | mailand | |
lisbon | lissabon | lisbonne |
scotland scottish | schottland | écosse | escocia
train rail railway locomotive steam | bahn zug eisenbahn lok schiene | ferroviaire | tren ferrocarril locomotora vapor
book novel bookshop reader author literature library | buch roman buchhandlung autor lesen | livre roman librairie lecteur littérature | libro librería lector
bee beekeeper hive honey | biene imker imkerei honig | abeille apiculteur apiculture ruche miel | abeja apicultor colmena miel
comic manga anime | | bd bande-dessinée | tebeo
poultry chicken hen egg | huhn geflügel ei | poule volaille oeuf | gallina pollo huevo
forestry timber wood lumber | forst holz sägewerk forstwirt | sylviculture scierie | forestal madera aserradero
psychology therapist anxiety stress | psychologie psyche therapeut | psychologie psychologue | psicología psicólogo
humour comedian satire joke | humor kabarett witz | humoriste blague | humor humorista
language vocabulary translator grammar | sprache sprachkurs vokabel übersetzer | langue traducteur vocabulaire | idioma traductor vocabulario
education course certification learning | weiterbildung kurs lernen seminar | formation apprentissage | formación curso aprendizaje
marketing advertiser agency seo | werbeagentur | | agencia
telecom broadband internet fibre | telekom glasfaser | | telecomunicaciones
hearing deaf hearing-aid glasses optician | hörgerät brille optiker | appareil-auditif lunettes | audífono gafas óptica
beach sea coast seaside | strand meer küste nordsee ostsee | plage mer littoral côte | playa mar costa
village countryside rural | dorf land ländlich | campagne | pueblo campo
mountain alps valley | alm tal alpenraum | massif | sierra`

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
