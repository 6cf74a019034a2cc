import { memoize } from "../../../memoize.ts"
import { type Language, languages } from "./languages.ts"
import { fold, stem } from "./tokens.ts"

// The same subject in four languages: en | de | fr | es. A product with one of the words is found by the
// others; only a hint, of which nothing is ever said. A word after a ~ means too much else to be quoted even where a product has the very word.
// What follows a + is not the subject but goes with it, and only ranks: who they are, what they use and buy.
const table = `
hiking hiker trekking hike ~trail + summit backpack rucksack boots alps hut walker ramble waterproof softshell poles daypack | wandern wanderer wanderung wanderschuh bergtour hütte berg alpin + gipfel wanderweg alpen almhütte outdoorjacke bergwelt regenjacke trekkingschuhe stöcke outdoorausrüstung | randonnée randonneur ~trek montagne + sentier sommet refuge bivouac alpes marcheur bâtons gps | senderismo senderista excursionismo montaña ~ruta + sendero cumbre mochila refugio botas chubasquero bastones
climbing mountaineering climber + bouldering rope crag | klettern bergsteigen klettersteig + kletterhalle seil fels | escalade alpinisme + grimpe bloc falaise | escalada alpinismo + rocódromo escalador roca
ski skiing snowboard skier ~piste + slope snow goggles skiwear chalet freeride | ski skifahren snowboard ~lift skigebiet talstation + schnee skipass langlauf skibrille skibekleidung skischuhe hüttenwirt | ski snowboard neige télésiège + skieur glisse | esquí snowboard nieve + forfait esquiador
camping caravan motorhome campsite + tent campervan caravanning rv | camping wohnmobil wohnwagen zelt + campingplatz dachzelt | camping caravane ~tente + fourgon vanlife | camping caravana acampada + autocaravana furgoneta
~running runner marathon jogging + trainers 10k parkrun isotonic electrolyte gels insoles endurance triathlon triathlete ultra | ~laufen läufer marathon joggen laufschuh + halbmarathon trailrunning laufgruppe isotonisch sportgetränk einlagen sportuhr ausdauer | ~course coureur marathon ~footing + courir baskets foulée isotonique semelles | ~correr ~corredor maratón + zapatillas geles plantillas resistencia triatlón
cycling cyclist bicycle bike + ebike pedal helmet mtb gravel panniers touring | radfahren radfahrer fahrrad ~rad rennrad lastenrad gravel + radtour radweg helm mountainbike velo fahrradtaschen fahrradladen radreise radler velofahrer | vélo cycliste cyclisme + vtt cyclable selle sacoches cyclotourisme | ciclismo ciclista bicicleta bici + pedalear casco btt alforjas cicloturismo
fitness gym workout treadmill + protein crossfit pilates dumbbells sportswear leggings wearables athleisure | fitness fitnessstudio ~training sportstudio + krafttraining eiweiß hanteln sportkleidung fitnesstracker sportnahrung abnehmen | fitness musculation ~salle + entraînement sportifs haltères | fitness gimnasio entrenamiento + ejercicio mancuernas adelgazar entrenador
yoga meditation mindfulness ~calm | yoga meditation achtsamkeit | yoga méditation | yoga meditación
football soccer ~league + striker stadium matchday supporters kits jersey jerseys scarves sportsbook terraces | fußball fussball bundesliga + fußballfans stadion spieltag trikot fanartikel kicker stammtisch | football foot ~ligue + buteur maillot crampons tribune | fútbol futbolero ~liga + hinchas estadio laliga futbolista camiseta peñas grada forofos
tennis golf padel | tennis golf | tennis golf | tenis golf pádel
sport sports athlete | sport sportler sportlich | sport sportif | deporte deportista deportivo
sailing boat yacht + marina harbour skipper regatta paddle kayak canoe lifejacket dinghy | segeln boot yacht segler + hafen jolle motorboot kajak kanu schwimmweste bootsbesitzer | voile bateau nautique + voilier plaisance plaisancier | vela barco navegación náutica + velero puerto patrón piragua
fishing angler + rod bait trout carp lure | angeln angler fischen + köder forelle karpfen rute angelverein | pêche pêcheur + canne appât truite hameçon | pesca pescador + cebo trucha anzuelo
~hunting ~hunter | jagd jäger | chasse chasseur | caza cazador
horse riding equestrian + rider stable pony dressage hay equine farrier horsebox | pferd reiten reiter + reitstall sattel dressur reiterin stute hufschmied pferdeanhänger reitschule springreiten pferdebesitzer | cheval équitation + chevaux cavalier écurie poney van | caballo equitación hípica + jinete establo yegua poni herrador
motorcycle motorbike biker + scooter | motorrad biker motorräder + motorradfahrer roller enduro | moto motard | moto motocicleta motero + motorista
car cars automotive vehicle ~driver + engine garage mechanic gasket vintage restoration workshop motoring tyres tires dealership spare bonnet hood brakes porsche exhaust roadster convertible petrolheads restorers dashcam pickup fuel | auto autos pkw kfz fahrzeug autofahrer + werkstatt oldtimer reifen autohaus ersatzteile getriebe bremsen schrauber autozubehör motoröl auspuff cabrio autofans autobesitzer | voiture automobile auto conducteur + moteur garagiste pneus concessionnaire mécanique freins anciennes cabriolet | coche automóvil vehículo conductor + mecánico neumáticos concesionario recambios frenos clásicos descapotable gasolina
electric ~charging ev + evs wallbox | elektro elektroauto ladestation + ladesäule ladeinfrastruktur elektromobilität | électrique recharge + borne | eléctrico recarga + cargador enchufable
truck logistics freight + lorry haulage haulier fleet warehouse forklift pallets shipping carrier hgv procurement fulfilment fulfillment telematics reefer | lkw logistik spedition fracht + lastwagen spediteur flotte lieferkette gabelstapler palette lagerlogistik anhänger fuhrpark fuhrparkleiter lagerhaltung intralogistik kontraktlogistik telematik versand transportunternehmen | camion logistique ~transport + entrepôt routier flotte chariot palette fret logisticiens chauffeurs télématique entreposage exploitants expéditeurs | camión logística ~transporte + almacén flota transportista carretilla palés semirremolque camionero reparto expedición
+ rail | + züge schiene bahnreisende |  | + vías
underground subway metro commuter ~tube | u-bahn pendler ~nahverkehr + pendlerin pendeln | métro navetteur | metro andén pasajero + viajeros suburbano
bus ~shelter | bus haltestelle bushaltestelle | bus abribus | autobús marquesina
airport airline ~flight flyer + terminal aviation pilot | flughafen airline flug vielflieger + fluggast | aéroport avion ~vol + passagers | aeropuerto aerolínea vuelo
travel traveller traveler holiday ~trip tourism vacation getaway + tourist guesthouse sightseeing beach itinerary luggage suitcase cottage | reise reisen urlaub tourismus reisende kurztrip + ferien reiseziel ferienhaus ferienwohnung pauschalreise strand wochenendtrip koffer reiseversicherung reiseveranstalter städtereise ferienpark mietwagen campingurlaub | voyage voyageur vacances tourisme escapade + gîte valise | viaje viajero vacaciones turismo escapada + turista playa viajar maletas turoperador billetes
hotel ~resort + inn guests hostel | hotel unterkunft + gasthof | hôtel ~séjour + auberge nuitée | hotel alojamiento + hostal huéspedes posada
cruise | kreuzfahrt | croisière | crucero
parent parents mum ~mom ~mother ~dad ~father parenting + bedtime nursery childcare daycare crib pushchair pram stroller carer grandparents | eltern ~mutter mütter ~vater väter mama papa + kindergarten kinderwagen elternzeit tagesmutter jungeltern familienleben kindersitz babyphone großeltern schulanfang | parent parents maman papa ~mère ~père + crèche poussette nounou maternité parentalité | ~padre ~madre padres ~mamá ~papá + guardería cochecito carrito crianza maternidad vigilabebés abuelos
family families | familie familien | famille | familia
child children kid kids + playground toddlers preschool kindergarten | kind kinder kita + schulkind spielplatz kinderzimmer vorschule kinderbuch kindersachen | enfant enfants ~petits + gamin écolier goûter | niño niña niños hijos infantil + críos peques escolar preescolar cuentos
baby babies newborn toddler pregnancy infant nappy + diapers midwife midwives pregnant breastfeeding cot | baby babys säugling schwangerschaft kleinkind wickeln windel + hebamme schwanger stillen babybett | bébé nourrisson grossesse puériculture + couches enceinte allaitement naissance maternelle | bebé embarazo ~recién pañal + matrona embarazada lactancia cuna
toy toys | spielzeug | jouet jouets | juguete juguetes
school pupil teacher + classroom lesson stationery tutoring headteachers edtech | schule schüler lehrer + lehrerin unterricht klassenzimmer schulbedarf nachhilfe lehrkräfte ranzen | école ~élève enseignant + prof professeurs cartable | escuela colegio alumno profesor + aula docentes maestra
student university campus college + freshers uni undergraduate graduates | student studierende studis hochschule universität campus + semester mensa | étudiant université campus + fac licence | estudiante universidad universitario + facultad
~senior retiree pensioner retired elderly + stairlift grandchildren | senioren rentner ruhestand best-ager + rentnerin pensionäre hörgeräte treppenlift rollator enkel | ~senior retraité retraités + aînés | ~mayores jubilado jubilados + pensionistas salvaescaleras audífonos nietos
women ~female | ~frau frauen ~weiblich | ~femme femmes féminin | ~mujer mujeres femenino
~men ~male | ~mann männer männlich | ~homme hommes masculin | ~hombre hombres masculino
~young youth teen teenager | ~jung jugend jugendliche ~junge teenager | ~jeune ~jeunes ado adolescents | ~joven ~jóvenes adolescente
cooking cook recipe recipes kitchen baking chef ~meal + cookbook dinner stove pan oven spice saucepan kitchenware bake blender knives cutlery cookware spatula stock foodies | kochen rezept rezepte küche backen koch backmischung + kochbuch gewürze pfanne herd topf backofen kochbox hobbyköche messer mixer kochtopf gusseisen bräter küchengeräte thermomix | cuisine recette recettes cuisiner pâtisserie cuisinier ~chef + poêle casserole épices cuisinez dîner marmite couteaux fonte ustensiles gourmand | cocina receta recetas cocinar repostería cocinero + guisar guiso sartén horno especias olla recetario fogón cuchillos utensilios cocinillas
food eating grocery nutrition snack + delicatessen cheese bakery meat butcher gourmet deli | ~essen lebensmittel ernährung nahrung snack + käse bäckerei fleisch metzger feinkost biolebensmittel hofladen genuss feinschmecker | alimentation aliment nourriture épicerie + fromage boulangerie viande boucherie | comida alimentación alimento + queso panadería carne embutido aceite
vegan vegetarian ~organic | vegan vegetarisch bio | végane végétarien végétarienne bio | vegano vegetariano ecológico
restaurant gastronomy dining + bistro pub hospitality caterer | restaurant gastronomie gastro + wirt gasthaus kneipe | restaurant gastronomie + bistrot traiteur restaurateur hôtellerie | restaurante gastronomía hostelería + bar tapas camarero hostelero
wine vineyard winery + grapes sommelier cellar | wein winzer weine weinhandel + weingut weinkeller reben winzerin | vin vigneron vignoble caviste ~domaine + cave raisin | vino viñedo bodega + uva sumiller enólogo
beer brewery craft-beer + ale lager | bier brauerei biermarke + braumeister hopfen craftbier | bière brasserie + brasseur houblon | cerveza cervecería + cervecero lúpulo
spirits gin whisky cocktail | spirituosen gin whisky | spiritueux gin whisky | ginebra whisky licor
coffee tea | kaffee tee | café ~thé | café té
garden gardening gardener ~plants lawn allotment + seeds compost tomatoes mower flowers vegetables bulbs growers greenhouse roses hedge lawnmower patio pond sprinkler soil orchard homegrown trellis | garten gärtner gartenfreunde rasen ~pflanzen hobbygärtner rasenmäher beet + saatgut samen kompost mähroboter baumschule blumen gemüse gewächshaus hecke obstbäume bäumchen balkon stauden apfel rasenroboter terrasse teich bewässerung erde hochbeet blumenerde gartenmöbel gartenbesitzer kleingärtner schrebergarten | jardin jardinage jardinier ~plantes + graines semences tondeuse pépinière fleurs potager serre rosiers haie terrasse bassin arrosage terreau verger jardinerie | jardín jardinería ~plantas césped + huerto semillas cortacésped vivero flores macetas invernadero rosales terraza estanque riego sustrato frutales
diy ~tools hardware handyman woodworking + drill saw renovation paint screws toolbox plumber workbench renovate carpentry sander ladder toolkits screwdriver tiling flooring makers | heimwerker baumarkt werkzeug handwerker schreinern tischlern bohrmaschine + bohrer säge renovierung farbe werkbank klempner schleifmaschine leiter akkuschrauber fliesen parkett bauen selbermachen holzarbeiten | bricolage ~outils bricoleur + perceuse scie travaux menuiserie établi ponceuse échelle visseuse carrelage parquet | bricolaje herramientas ~taller + taladro sierra reforma tornillos carpintería lijadora escalera destornillador azulejos parquet manitas
furniture interior decor homeware + sofa mattress curtains blinds lamp rugs | möbel ~einrichtung wohnen + matratze vorhänge teppich einbauküche wohnideen | meuble décoration ~intérieur + canapé matelas rideaux déco tapis | mueble decoración ~hogar + colchón cortinas lámpara alfombra
construction ~building architect builder + contractor roofing concrete crane scaffolding | bau bauleiter baustelle architekt handwerk bausoftware + bauunternehmen dach beton kran gerüst maurer | construction bâtiment chantier architecte + maçon toiture béton grue btp | construcción ~obra arquitecto + albañil tejado hormigón grúa contratista
~property housing mortgage homeowner ~estate + landlord realtor rent tenants homebuyers remortgage conservatory | immobilien eigenheim wohnung hausbesitzer + vermieter mieter makler hausbau hauskauf eigentumswohnung bauherren immobilienmakler | immobilier logement ~propriétaire + bailleur locataire loyer acheteurs | inmobiliaria vivienda hipoteca propietario + casero inquilino alquiler piso compradores
farm farmer farming agriculture tractor + crop livestock dairy cattle cows milking harvest corn soybean fertiliser fertilizer grain barn sheep agri combine pasture agronomist herd pesticide irrigation cooperative farmland feed | landwirt landwirtschaft ~bauer ~hof traktor acker melkroboter stall + milchvieh kühe kuh melken ernte mais getreide dünger vieh rinder milchviehhalter betriebe stallbau agrar mähdrescher weide pflanzenschutz futter landmaschinen milchbauern rinderhalter schweinehalter | agriculteur agriculture ~ferme tracteur agricole + vaches lait récolte maïs blé bétail engrais élevage céréales moissonneuse pâturage troupeau exploitations céréaliers | agricultor agricultura agrícola granja tractor + ganadero vacas leche cosecha maíz trigo abono cultivo cosechadora pasto rebaño regadío explotaciones
machinery ~industry manufacturing industrial + factory engineering cnc welding | maschine maschinenbau industrie ~fertigung + fabrik schweißen zulieferer | ~machine industrie industriel ~usine + soudure ateliers | maquinaria ~industria industrial fábrica + soldadura
energy solar ~power heating + electricity photovoltaics battery utility grid installers | energie solar strom photovoltaik wärmepumpe + stromanbieter speicher heizung wärme balkonkraftwerk solaranlage stromtarif energiekosten pv | énergie solaire + panneaux chauffage isolation | energía solar + electricidad paneles calefacción placas aislamiento
climate sustainability sustainable ~environment | klima nachhaltig nachhaltigkeit umwelt | climat ~durable environnement écologie | clima sostenible sostenibilidad medioambiente
finance investing investor investment ~money stocks ~fund etf + trading crypto portfolio dividends shares wealth brokerage | geldanlage anleger börse finanzen aktien etf sparplan investieren + anlegerin depot krypto vermögen broker fonds finanztipps börsianer privatanleger | finance investisseur bourse ~placement + investisseurs patrimoine fonds | finanzas inversión inversor ~bolsa ~mercados ~fondos + acciones cripto patrimonio cartera bróker
savings pension retirement + savers wages salary payday debt payroll isa frugal | altersvorsorge rente vorsorge ersparnisse + sparen gehalt schulden sparkonto haushaltsbudget berufseinsteiger spartipps | épargne retraite + épargnant salaire | ahorro jubilación pensión + ahorrar ahorradores nómina sueldo
bank banking ~credit loan + neobank fintech | bank banking kredit konto + girokonto | banque crédit prêt + néobanque | banco banca crédito préstamo + neobanco
insurance insurer + broker | versicherung versicherer | assurance assureur + mutuelle courtier | ~seguro aseguradora + póliza correduría
tax accounting accountant + taxes bookkeeping invoices | steuer buchhaltung steuerberater + finanzamt rechnungen | impôt comptable comptabilité + facture fiscalité | impuestos contable contabilidad + fiscal asesoría facturas gestoría
~business entrepreneur founder startup ~company sme + businesses venture accelerator incubator coworking b2b | unternehmer gründer startup mittelstand + selbstständige gründerin wagniskapital kmu freelancer gründerszene inkubator firmen | ~entreprise entrepreneur fondateur startup pme + levée amorçage tpe indépendants incubateur | ~empresa empresario emprendedor startup pyme + autónomos financiación incubadora rondas fundadores
~manager ~executive ~director ~leader ~cto ~ceo | manager führungskraft entscheider geschäftsführer cto | dirigeant ~cadre ~directeur cto | directivo ~gerente ~director cto
hr recruiting hiring jobs career recruitment + employees workforce onboarding talent staffing rosters workplace | ~personal recruiting jobs karriere bewerber + personalabteilung personalverantwortliche zeiterfassung mitarbeiter fachkräfte lohnabrechnung arbeitgeber lohnsoftware arbeitszeiterfassung personalplanung dienstplan personalleiter personalwesen betriebsrat | recrutement emploi carrière rh + drh recruteur paie salariés télétravail | empleo reclutamiento rrhh ~carrera + reclutadores teletrabajo
~law lawyer ~legal + attorney attorneys litigation paralegal solicitor barrister counsel legaltech notary | ~recht anwalt jurist + rechtsanwalt kanzlei gericht kanzleisoftware mandanten strafrecht anwaltskanzlei | ~droit avocat juridique + cabinet tribunal notaire juristes | ~derecho abogado jurídico + bufete tribunal notario despachos procuradores
developer developers software programmer devops engineer ~platform coding saas + api kubernetes frontend backend database observability hackers serverless | entwickler software programmierer devops ingenieur + entwicklerin datenbank softwareentwickler administratoren hosting | développeur logiciel ingénieur informatique devops + développement hébergement devs administrateurs | desarrollador software programador ingeniero informática + programación nube administradores
ai machine-learning ml | ki machine-learning maschinelles | ia | ia
~technology ~tech gadget electronics computer + laptop devices phones smartwatch | ~technik ~technologie elektronik computer + geräte handys technikfans | ~technologie ~tech électronique ordinateur + technophiles | ~tecnología electrónica ordenador + portátil dispositivos móviles tecnófilos
~security cybersecurity privacy | ~sicherheit cybersicherheit datenschutz | ~sécurité cybersécurité | ~seguridad ciberseguridad
science ~research + scientists physics chemistry laboratory lab universe biology curious stem microscope lecture planets quantum | wissenschaft ~forschung forscher + forscherin physik chemie labor universum biologie wissen mikroskop weltraum populärwissenschaft naturwissenschaft neugierige | science ~recherche scientifique + physique chimie laboratoire biologie étoiles vulgarisation curieux quantique astrophysique | ciencia ~investigación científico + física química laboratorio biología divulgación microscopio espacio curiosos cuántica
health wellness medical healthcare medicine + hospital clinic patients therapy wellbeing supplements | gesundheit medizin gesund erkältung + krankenhaus klinik therapie nahrungsergänzung | santé médecine médical + hôpital clinique thérapie compléments | salud medicina bienestar médico + pacientes terapia
doctor physician nurse + ward rota caregivers clinicians scrubs uniforms | arzt ärzte ärztin ~praxis ~pflege + pflegekräfte pflegende krankenpflege stationsleitung schichtdienst nachtschicht krankenschwester pflegepersonal kittel intensivpflege pflegefachkräfte klinikpersonal | médecin médecins infirmier + soignants hôpitaux blouse | médico médicos enfermería enfermera + sanitarios hospitales auxiliares
dentist dental | zahnarzt zahnärzte dental zahnarztpraxis kieferorthopädie | dentiste dentistes dentaire | dentista dental odontólogo
pharmacy pharmacies pharmacist drugstore | apotheke apotheken apotheker drogerie | pharmacie pharmacies pharmacien | farmacia farmacias farmacéutico
beauty cosmetics skincare makeup + perfume fragrance salon hairdresser serum lipstick moisturiser shampoo | beauty kosmetik schönheit hautpflege + parfum friseur creme lippenstift nagellack pflegeprodukte | beauté cosmétique maquillage + parfum coiffeur crème vernis | belleza cosmética maquillaje + peluquería crema pintalabios esmalte champú
fashion clothing apparel ~style shoes + outfit dress handbag bags sneakers designer wardrobe jeans textile knitwear lingerie swimwear streetwear stylist lookbook accessories | mode kleidung bekleidung schuhe modelabel + handtasche garderobe strickwaren dessous bademode modemarke secondhand accessoires stilberaterin | ~mode vêtement défilé chaussures + robe tenue maille friperie accessoires créatrice | moda ropa calzado zapatos + vestido armario lencería bañadores complementos estilista
luxury jewellery jewelry ~watches | luxus schmuck uhren | luxe bijoux montres | lujo joyas relojes
~film movie ~films ~series drama comedy + cinema streaming filmmaker | film filme serie serien spielfilm + kino filmfans | film série séries comédie + cinéphile | película películas serie series comedia + cine cinéfilo
arthouse ~auteur | arthouse programmkino | ~auteur | ~autor
documentary documentaries | doku dokumentation | documentaire | documental
music concert festival ~band + songs album gig vinyl headphones turntable songwriters | musik konzert festival + lieder schallplatte kopfhörer plattenspieler musikfans konzertbesucher | musique concert festival + chansons platine mélomanes festivaliers | música concierto festival + canciones vinilo auriculares tocadiscos melómanos
jazz ~soul ~lounge ~blues | jazz soul ~lounge | jazz ~soul | jazz soul
~classical opera orchestra | klassik oper orchester | ~classique opéra | ~clásica ópera
+ novel bookshop publisher fiction library audiobooks memoir debut bookclub poetry writers | + buchhandlung verlag hörbücher lesekreis autorin lyrik | + librairie éditeur liseuse poésie romancier | + librería editorial audiolibros poesía escritores
art museum culture theatre exhibition + theatregoers musical galleries playhouse actors cultural | kunst museum kultur theater + bühne schauspiel galerie ausstellung theaterbesucher theaterkarten spielzeit abonnement kulturinteressierte kulturfans | art musée culture théâtre exposition + spectacle galerie billetterie spectateurs | arte museo cultura teatro exposición + escenario espectáculo galería espectadores
history historical | ~geschichte historisch | ~histoire ~historique | ~historia histórico
crime detective murder ~mystery true-crime + killer thriller | krimi verbrechen true-crime kriminalfall + mord | crime enquête + meurtre tueur polar | crimen crímenes ~misterio + asesinato asesino policiaco
~news newspaper journalism + headlines classifieds obituaries townspeople reporters | nachrichten zeitung tageszeitung + lokalzeitung lokalnachrichten schlagzeilen wochenblatt kleinanzeigen landkreis anzeigenblatt | actualité actualités ~journal ~info + hebdomadaire quotidien journaux hebdo | noticias actualidad periódico informativo + prensa diario semanario titulares clasificados sucesos
politics political election | politik politisch ~wahl | ~politique élection | política político elecciones
weather ~forecast ~rain | wetter regen regenradar wetterstation | météo pluie | ~tiempo meteorología lluvia
game games gamer gaming ~player ~console esports + videogame playstation xbox nintendo twitch headset rpg speedrun | spiel spiele gamer spieler handyspiel konsole + videospiele zocker controller grafikkarte computerspiele spieleentwickler indiegames | jeu jeux joueur gamer console + manette | juego juegos videojuego ~jugador consola + jugones mando
sewing knitting crochet quilting needlework yarn + fabric wool thread sewists patterns haberdashery needle dressmaking embroidery upholstery | nähen stricken häkeln handarbeit näherin garn + stoff wolle faden nähmaschine strickmuster nadel sticken schnittmuster | couture tricot couturière coudre + tissu laine fil mercerie aiguille broderie patrons | costura ganchillo coser tejer + tela lana hilo mercería aguja bordado modistas
~crafts scrapbooking pottery handmade + hobby handicraft | basteln töpfern kunsthandwerk + bastler | artisanat poterie | manualidades cerámica artesanía + artesano
photography photographer ~camera + photo lens tripod presets drones mirrorless darkroom lightroom | fotografie fotograf ~kamera + foto objektiv stativ bildbearbeitung fotobuch drohne hobbyfotografen spiegelreflex | photographie photographe + objectif trépied retouche hybride | fotografía fotógrafo + foto objetivo retoque fotolibro réflex
birdwatching birder birdwatcher ~bird ornithology | ~vogel vogelbeobachtung ~vögel ornithologie | ~oiseau oiseaux ornithologie | ~ave ~aves ornitología
~collecting collector antiques ~stamps ~coins | sammler antiquitäten briefmarken münzen | collectionneur antiquités timbres | coleccionista antigüedades sellos
boardgame chess | brettspiel gesellschaftsspiel schach kartenspiel | échecs | ajedrez
genealogy ancestry | ahnenforschung genealogie stammbaum | généalogie généalogiste ancêtres | genealogía antepasados
guitar piano musician ~instrument | gitarre klavier musiker | guitare musicien | guitarra músico
dance dancing ballet | tanz tanzen ballett | danse danseur ballet | baile danza bailarín
aquarium reptile terrarium | aquarium aquaristik terrarium | aquarium aquariophilie | acuario terrario
vet veterinary veterinarian | tierarzt tierärzte tiermedizin veterinär | vétérinaire véto | veterinario veterinaria
church ~christian gospel ~faith religion | kirche christlich ~glaube religion | église ~chrétien religion | iglesia ~cristiano religión
astrology esoteric spirituality | astrologie esoterik spiritualität | astrologie spiritualité | astrología espiritualidad
astronomy telescope stargazing ~space | astronomie teleskop sternwarte | astronomie télescope | astronomía telescopio
diving scuba diver freediving | tauchen taucher | plongée plongeur apnée | buceo buceador
surfing surfer | surfen surfer wellenreiten | ~surf surfeur | ~surf surfista
swimming swimmer | schwimmen schwimmer | natation nageur | natación nadador
basketball | basketball | basket basketball | baloncesto
rugby cricket baseball | rugby | rugby | rugby béisbol
motorsport ~racing ~formula | motorsport rennsport ~rennen | ~rallye | automovilismo
boxing wrestling martial | boxen kampfsport | boxe | boxeo
handball volleyball hockey | handball volleyball eishockey | handball volley hockey | balonmano voleibol
tattoo tattooist ~ink | tattoo tätowierer tätowierung | tatouage tatoueur | tatuaje tatuador
charity ngo donation nonprofit | spenden ~verein stiftung | ~association ~don ~solidarité | ong donación fundación
pharma biotech ~clinical | pharma biotech | pharmaceutique biotech | farmacéutica biotecnología
~puzzle ~strategy quiz | ~puzzle ~strategie rätsel quiz | ~puzzle ~stratégie quiz | puzle ~estrategia
dog dogs puppy + canine leash kennel treats breed collars | hund hunde hundebesitzer welpe + hundefutter leine hundehalter hundeschule hundesport rasse halsband | chien chiens chiot + croquettes laisse race collier maîtres | perro perros cachorro + pienso adiestramiento raza paseadores
cat cats kitten | katze katzen | chat chats | gato gatos
pet pets animal + petcare litter aquatics | haustier haustiere tier tiere + tierfutter haustierbesitzer tierhalter tierversicherung katzenstreu tierbedarf | animaux animal + animalerie litière | mascota mascotas animal + dueños
~nature wildlife ~outdoor ~outdoors + forest hedgehog conservation | natur tierwelt ~outdoor + wald igel naturschutz | ~nature + forêt biodiversité | naturaleza + bosque biodiversidad
wedding bride + groom bridal | hochzeit braut + brautkleid heiraten bräutigam | mariage mariée | boda ~novia + casarse
christmas xmas | weihnachten weihnachts | noël | navidad
supermarket grocer groceries convenience | supermarkt lebensmittelhandel | supermarché épicerie hypermarché | supermercado
~shop shopping ~retail shopper ecommerce ~store + mall footfall | einkaufen onlineshop ~handel ~shop + einkaufszentrum shoppingcenter innenstadt kaufhaus händler | boutique ~achats shopping ~commerce + magasin enseigne détaillants | tienda ~compras ~comercio + minorista
voucher coupon cashback ~deals ~discount | gutschein rabatt cashback schnäppchen | ~bon ~promo ~réduction cashback | cupón descuento cashback ~ofertas
~morning breakfast | ~morgen ~morgens frühstück ~früh morgenshow | ~matin matinale | ~mañana matinal desayuno
~traffic motorway | verkehr autobahn stau | ~circulation autoroute | ~tráfico autopista
~sleep | ~schlaf schlafen | sommeil | ~sueño dormir
~programmatic ~auction rtb | programmatisch auktion ~programmatic | programmatique enchère enchères | programático programática subasta
cpc ~click | ~klick klickpreis | ~clic | ~clic
~sponsorship ~sponsor ~patronage | sponsoring patenschaft ~sponsor | parrainage ~sponsor | patrocinio patrocinar
advertorial ~native | advertorial ~native | publirédactionnel publireportage ~natif sponsorisé | publirreportaje nativo
~mobile app smartphone ~phone | ~mobil app ~handy smartphone ~unterwegs | ~mobile appli ~application | ~móvil app ~aplicación
newsletter ~bulletin ~subscriber | newsletter ~abonnent ~empfänger | newsletter ~lettre abonné | boletín suscriptor
~screen ~screens | ~bildschirm ~bildschirme ~screens stele | ~écran ~écrans | ~pantalla ~pantallas
+ beekeeping beekeeper bees hive honey apiary | + imker imkerei bienen bienenstock honig | + apiculture apiculteur abeilles ruche miel | + apicultura apicultor abejas colmena miel
+ poultry chickens hens henhouse | + hühner geflügel hühnerstall | + poules poulailler volaille | + gallinas gallinero
+ forestry timber sawmill wood | + forstwirtschaft forst holz sägewerk | + sylviculture forestier scierie bois | + forestal silvicultura madera aserradero
+ comics manga anime cosplay |  | + bd | + cómic tebeo
+ humour humor satire | + kabarett comedian witzig | + humoriste | + sátira monólogos humorista
+ psychology therapist psychologist anxiety | + psychologie psyche therapeut psychotherapie | + psychologie psychologue | + psicología psicólogo
+ philosophy ethics | + philosophie ethik | + philosophie éthique | + filosofía ética
+ productivity coaching | + produktivität selbsthilfe | + productivité | + productividad autoayuda
+ vocabulary translation translator interpreter | + sprachkurs vokabeln übersetzer übersetzung dolmetscher | + langues traduction traducteur interprète | + idiomas traducción traductor intérprete
+ webinar certification | + weiterbildung fortbildung | + webinaire |
+ agency marketer marketers copywriting seo |  |  |
+ designer ux typography illustration illustrator | + grafik typografie | + graphisme typographie illustrateur | + diseñador diseño gráfico tipografía ilustrador
+ telecom broadband 5g | + telekom breitband glasfaser | + fibre opérateur | + telecomunicaciones fibra operador
+ aviation aircraft pilots | + luftfahrt flugzeug piloten | + avions pilotes | + aviación aviones pilotos
+ maritime shipping seafarers vessel | + schifffahrt reederei seeleute schiff | + armateur navire marins | + marítimo naviera marineros buque
+ recycling waste circular | + abfall entsorgung | + recyclage déchets | + reciclaje residuos
+ packaging printing labels | + verpackung druckerei etiketten | + emballage imprimerie étiquettes | + embalaje imprenta etiquetas
+ chemicals chemical plastics | + chemie kunststoff labor | + chimie plasturgie | + química plásticos
+ electrician plumber plumbing installer hvac | + elektriker installateur klempner sanitär shk | + électricien plombier chauffagiste | + electricista fontanero instalador
+ hairdresser barber salon hair | + friseur friseure barbier haare | + coiffeur coiffure barbier cheveux | + peluquero peluquería barbero cabello
+ optician eyewear glasses | + optiker brille brillen | + opticien lunettes | + óptico gafas
+ hearing audiologist deaf | + hörgerät hörakustiker | + audition audioprothésiste | + audífono audición
+ care carers caregiver dementia | + pflegeheim altenpflege pflegedienst demenz angehörige | + aidants ehpad dépendance | + cuidadores residencia dependencia
+ firefighter police ambulance rescue | + feuerwehr polizei rettungsdienst sanitäter | + pompiers secouristes | + bomberos policía ambulancia emergencias
+ military veterans army defence | + bundeswehr soldaten veteranen militär | + militaire armée | + militar ejército veteranos
+ council municipal mayor | + kommune gemeinde verwaltung bürgermeister behörde | + mairie élus | + ayuntamiento municipio alcalde administración
+ librarian library archive | + bibliothek bibliothekar archiv | + bibliothèque bibliothécaire archives | + biblioteca bibliotecario archivo
| + messe kongress tagung | + événementiel congrès | + congreso
+ appliances dishwasher fridge vacuum | + haushaltsgeräte spülmaschine kühlschrank waschmaschine staubsauger | + électroménager réfrigérateur aspirateur | + electrodomésticos lavavajillas nevera lavadora aspiradora
+ alarm thermostat | + smarthome alarmanlage | + domotique alarme | + domótica alarma termostato
+ cleaning detergent laundry | + reinigung putzen waschmittel | + nettoyage ménage lessive | + limpieza detergente lavandería
+ mattress bedding pillow | + matratze bettwäsche kissen | + matelas literie oreiller | + colchón almohada
+ drink drinks juice lemonade | + getränk getränke saft limonade | + boisson boissons jus limonade | + bebida bebidas zumo refresco
+ chocolate sweets confectionery biscuits | + schokolade süßigkeiten kekse eis | + chocolat confiserie glace | + dulces galletas helado
+ olives | + olivenöl oliven | + oliveraie | + aceitunas olivar
+ cheese dairy yoghurt | + käse molkerei joghurt | + fromage fromager laiterie yaourt | + queso quesería yogur
+ fish seafood | + fisch meeresfrüchte | + poisson | + pescado marisco
+ betting gambling casino lottery poker | + wetten glücksspiel lotto | + loterie | + apuestas lotería
+ dating singles relationship | + partnersuche | + rencontre célibataires | + citas solteros pareja
+ lgbt queer pride gay | + schwul lesbisch |  |
+ expat migrants immigrants | + expats auswanderer zuwanderer | + expatriés immigrés | + expatriados inmigrantes
+ disability accessible wheelchair | + behinderung barrierefrei rollstuhl | + handicap accessibilité fauteuil | + discapacidad accesible
+ diabetes allergy asthma chronic | + allergie | + diabète allergie asthme | + alergia asma
+ funeral bereavement grief | + bestattung trauer | + obsèques deuil | + funeraria duelo
+ removals | + umzug umzugsunternehmen | + déménagement déménageur | + mudanza mudanzas
+ folk brass choir choral singer | + chor blasmusik volksmusik sänger | + chorale chœur fanfare chanteur | + coro coral folclore cantante
+ metal punk rock rap techno | + hiphop | + électro |
+ local regional neighbourhood community | + lokal regional nachbarschaft | + local régional quartier | + local regional barrio
+ coast beach seaside island | + küste strand insel nordsee ostsee | + littoral île côte | + costa playa isla
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

interface Column {
  /** What names a subject. */
  readonly names: Map<string, number>
  /** What names a subject or goes with it. */
  readonly ranking: Map<string, number>
  /** Words that may be quoted however frequent they are. */
  readonly quotable: Set<string>
}
const column = (): Column => ({ names: new Map(), ranking: new Map(), quotable: new Set() })

let columns: Readonly<Record<Language, Column>> | undefined

function loaded(): Readonly<Record<Language, Column>> {
  if (columns !== undefined) return columns
  columns = { en: column(), de: column(), fr: column(), es: column() }
  for (const [number, row] of table.trim().split("\n").entries()) {
    for (const [nth, text] of row.split("|").entries()) addTo(columns[languages[nth] as Language], text, number)
  }
  // What names a subject goes with no other one.
  for (const { names, ranking } of Object.values(columns)) for (const [key, number] of names) ranking.set(key, number)
  return columns
}

function addTo({ names, ranking, quotable }: Column, text: string, number: number): void {
  const [named = "", beside = ""] = text.split("+")
  for (const written of named.match(/\S+/g) ?? []) {
    const word = fold(written.replace(/[-~]/g, ""))
    if (!names.has(stem(word))) names.set(stem(word), number)
    if (!written.startsWith("~")) quotable.add(word)
  }
  for (const written of beside.match(/\S+/g) ?? []) {
    const key = stem(fold(written))
    if (!ranking.has(key)) ranking.set(key, number)
  }
}

const lookUp = (which: "names" | "ranking") => (key: string, language: Language | undefined) => {
  const all = loaded()
  if (language !== undefined) return all[language][which].get(key) ?? all.en[which].get(key)
  for (const each of languages) {
    const number = all[each][which].get(key)
    if (number !== undefined) return number
  }
  return undefined
}

/** The subject that a stem stands for, in a language if that is certain. */
export const subjectOf = lookUp("names")
/** The subject that it stands for or goes with: enough to rank by. */
export const subjectBeside = lookUp("ranking")

/** Whether a folded word names a subject in this language, so that it may be quoted though it is frequent. */
export const namesSubject = (word: string, language: Language): boolean => loaded()[language].quotable.has(word)

const PART_MIN = 4
const COMPOUND_MIN = 8
const WORDS_REMEMBERED = 20_000

/** The subject of a part of a long German word: "Motorradtests", "Hobbygärtner". 0 for none, and otherwise one more, to be remembered. */
const subjectInGerman = memoize(WORDS_REMEMBERED, (word: string): number => {
  for (let length = word.length - PART_MIN + 1; length >= PART_MIN; length--) {
    const subject =
      subjectBeside(stem(word.slice(0, length)), "de") ?? subjectBeside(stem(word.slice(word.length - length)), "de")
    if (subject !== undefined) return subject + 1
  }
  return 0
})

export function subjectInside(word: string, language: Language | undefined): number | undefined {
  const found = word.length < COMPOUND_MIN || (language ?? "de") !== "de" ? 0 : subjectInGerman(word)
  return found === 0 ? undefined : found - 1
}
