import type { Words } from "./of-language.ts"

export const es: Words = {
  common: `el la los las un una unos unas de del al y e o u a en con sin por para sobre entre hasta desde hacia ante según que quien cual como cuando donde porque
    si no ni es son era ser está están estar hay ha han hemos he tiene tenemos tienen tenéis puede podemos debe queremos quiere quiero nos nosotros os su sus mi mis tu tus se
    le les lo me te muy más menos también ya todo toda todos todas otro otra otros otras algo nada alguno este estos estas ese esa eso pero sino pues hola gracias saludos
    buenos días buenas favor somos nuestro nuestra nuestros nuestras buscamos busco gustaría necesitamos solo tipo posible`,
  letters: /[ñ¿¡áíóú]/i,
  phrases: {
    F: `o nada, no sólo|solo|solamente|superar|superior|supere, nada más que, no más|menos de|que, menos de, sin duda|embargo|problema|prisa|excepción|superar|pasar, no hay problema|prisa, al menos, por lo menos, si es posible, más o menos, ni idea`,
    N: "nada con|en, ningún, ninguna, cero, no queremos|quiero|quiere|necesitamos, tampoco, ni hablar de, nada de",
    X: "sin, excepto, salvo, menos, quitando, con|a excepción de, fuera de|del, aparte de|del, al margen de|del, que no sea|sean, en vez|lugar de|del",
    H: "evitar, eviten, evitad, evite, evitando, excluir, excluyan, excluyendo, exclusiones, descartar, descarten, no proponer|incluir|ofrecer, no propongan, lista negra|negativa",
    A: "excluid*, prohibid*, vetad*, rechazad*, descartad*, no previst*|admitid*|desead*|permitid*|aceptad*|autorizad*|querid*|válid*, queda|quedan fuera|descartad*|excluid*, no gracias, no nos interesa|interesan, ni hablar",
    e: "solo, sólo, solamente, únicamente, exclusivamente, nada más",
    r: "mejor, preferimos, prefiero, prefiere, antes",
    q: "que",
    b: "pero, sino, ahora, esta-vez",
    o: "o, u",
    a: "y, e",
    K: "canal, canales, medio, medios, soporte, soportes, formato, formatos, dese*, quiero, queremos, preferid*, preferente*, permitid*, admitid*, aceptad*, elegid*, solicitad*, requerid*, por hacer, público, objetivo, país, países, pais, mercado, mercados, zona, zonas, territorio, territorios, región, regiones, ámbito",
    t: "pre|mid|post roll, preroll*, midroll*, postroll*, local*, regional*, nacional*, móvil*, digital*, cort*, larg*, semanal*, diari*, mensual*, segundos, semana, semanas, pequeñ*, grande*, buen*, nuev*, profesional*, especializad*, impres*, página, páginas, media, número, números, mención, presupuesto, prueba, joven*, spot, spots, aire, libre",
    f: "primero, el, la, un, nos, me, también, algún, alguna, más, sí, el, los, las, lo, una, unos, unas, del, con, al, para, por, favor, gracias, es, son, nosotros, ningún, tipo",
    y: "publicidad, anuncio, anuncios, campaña, campañas, canales, formato, formatos, soporte, soportes, medios",
  },
  ownPhrases: {
    S: `nunca, jamás, nada, nadie, apenas, por qué no, ya tenemos|llevamos|hemos|no|cansa, ya los|las|lo|la tenemos|llevamos, demasiado car*, olvid*, prescind*, renunci*, dejar|dejamos|dejad|deja fuera, hart*, hasta el gorro, inútil, inútiles, basta, paso de, pasamos de, abstener*, descart*, contra, ni acercarse, lejos de,
      huir de, huimos de, sobra, sobran, manía, para quien la|lo|las|los quiera, quita, quita quita, ni loco, ni locos, detest*, odio, odia, odian, odiamos, odiar, prohíb*, prohib*, abandon*, fracas*, decepcion*, cansados, cansa, tirar, pérdida, puede|pueden esperar, deja fríos, encaja mal, quemamos, quemados, pasado de moda,
      dejar, dejamos, dejad, alej*, ojo de la cara, fuera, ahorradnos, menos, malgast*, aburre*`,
    T: "el año pasado, verano|invierno|otoño|primavera pasado|pasada, el mes pasado, la última vez, campaña anterior|pasada, la temporada pasada, antaño, en su día, competencia, competidor*, rival, rivales, mi|nuestro|nuestra socio|socia|marido|mujer|jefe|jefa|sobrino|sobrina|hijo|hija|primo|prima|hermano|hermana|vecino|vecina|agencia|cuñado|cuñada|colega|amigo|amiga|padre|madre, si fuera por, si por mí|él|ella fuera, si dependiera de, es como, nos propus*, me propus*, dice que, decía",
    U: "si, no necesariamente, cuando, que tal",
    g: "importamos, viene|vienen de, basada|basado|basados|basadas en, fabricado|fabricada|fabricados|fabricadas|hecho|hecha|hechos|hechas en, nació|nacida|nacido en, sede en, somos de, venimos de, oficinas en, hacia, viajes|vuelos|viajeros|viajar a",
    W: "buscamos, busca, busco, buscan, queremos, quiero, quiere, quieren, querría*, quisiera*, deseamos, desea, deseo, desean, necesitamos, necesita, necesito, necesitan, gustaría, encantaría, interesa, interesan, interesado|interesados|interesada|interesadas en, preferiblemente, preferentemente, idealmente, ideal, a ser posible, sobre todo, principalmente, ofrezcan, ofrecednos, ofrécenos, proponed, proponednos, tenéis, apostamos por, optamos por, elegimos, contratar, reservar, anunciarnos en, campaña con|en|de, presupuesto para, ponme en, dame, dadnos, interés en, planeamos, prevemos, sería|serían|es|son|estaría|quedaría perfecto*|perfecta*|ideal*|genial*|estupend*|bienvenid*, encaja|encajan, preferible*, nos|me encanta|encantan, nos sirve|sirven, nos|me quedan,  deseable*, nos|me gusta|gustan",
    k: "quien, quienes, cual, cuales, cuyo, cuya, donde, cuando, como, porque, mientras, aunque, pues, qué, quién, siempre que",
    z: "es, son, era, eran, fue, fueron, está, están, ha, han, había, será, serán, sería, puede, pueden, debe, deben, tiene, tienen, hace, hacen, sigue, siguen",
    p: "para, en, de, del, con, sobre, por, cerca, a, al, entre, hacia",
  },
  owners: "señor señora don doña nuestro nuestra nuestros nuestras mi mis",
  channels: `podcast: pódcast*
    radio: cuña de radio, cuña, cuñas, emisora, emisoras
    streaming_audio: cuñas|spots|anuncios en streaming, audio digital, radio en línea
    ctv: televisión conectada, tele conectada, tv conectada, tvs conectadas, televisores conectados, tele|televisión por internet
    linear_tv: televisión lineal, tv lineal
    ctv linear_tv: tele, televisión
    olv: video en linea, video online
    dooh: pantallas digitales, exterior digital, publicidad exterior digital, mupis digitales
    ooh: valla, vallas, carteles, cartelería, marquesina, marquesinas, mupi, mupis
    ooh dooh: publicidad exterior
    email: boletín, boletines, correo electrónico
    social: redes sociales, rrss
    influencer: influenciador*, creador de contenido, creadora, creadores de contenido
    gaming: vídeo recompensado
    retail_media: productos patrocinados
    search: publicidad en buscadores
    cinema: cine, cines
    print: en papel, medios impresos, revista, revistas, prensa, periódico, periódicos
    affiliate: afiliación
    product_placement: emplazamiento de producto`,
  noChannels: "serie de tv, videollamada",
  videos: "",
  banners: "",
  guaranteed: "entrega garantizada",
  countries: `GB: Irlanda del Norte, Reino Unido, Gran Bretaña, Inglaterra
    US: Estados Unidos, EE UU, EEUU
    NL: Países Bajos, Holanda
    CZ: República Checa
    KR: Corea del Sur`,
  cities:
    "GB: Londres, Edimburgo; AT: Viena; CH: Ginebra; DE: Múnich, Fráncfort, Berlín, Hamburgo; FR: París, Marsella; IT: Roma, Milán, Nápoles; PT: Lisboa, Oporto; BE: Bruselas; DK: Copenhague; SE: Estocolmo; PL: Varsovia; CZ: Praga; RU: Moscú; US: Nueva York; MX: Ciudad de México, Puebla, Tijuana, Querétaro, Cancún; ES: Sevilla, Murcia, Alicante, Valladolid, Vigo, Gijón, Oviedo, Pamplona, Santander, Cádiz, Huelva, Burgos, Badajoz, Almería, Albacete; EC: Quito; GR: Atenas",
  beforeCountries: "en para",
  beforeCodes: "sin salvo excepto no para en mercado mercados país paises",
  notBeforeCountries: "nueva",
  money: {
    currencies: "USD: dolares, dólares; GBP: libras; CHF: francos suizos",
    thousand: "mil",
    to: "a|y",
    cpm: "coste por mil",
    cpc: "por clic",
    other: "coronas",
    rate: "por(?!\\p{L})(?! favor)|(?:al|la) (?:mes|d[ií]a|semana|año|unidad)",
    least: "al menos|como mínimo|m[aá]s de|desde|a partir de|suelo|cuesta",
    past: "era|fue",
    each: "por|cada",
    not: "nada",
    budgetNouns: "presupuesto",
    has: "tenemos",
    budget: "invertir|gastar|disponemos|máx|máximo|hasta|como mucho|como máximo|menos de|no más de|en total",
    spends: "invertir|gastar",
    afterBudget: "como máximo|como mucho|de presupuesto|y no más|disponibles?",
    about: "unos|aprox\\.?|entre",
    afterAlone: "sin iva|(?:por|para) (?!cada).*",
  },
}
