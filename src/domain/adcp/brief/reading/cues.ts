import type { Language } from "../words/languages.ts"

// What words do in a brief, by letters. All four languages at once: a short brief may be taken for another language, but nothing is inverted.
// "a|b c" is "a c" and "b c"; "evit*" begins a word.

/**
 * What comes next is not wanted: `N`, also as an answer `n`, all but that `X`, a verb or a heading `H`. What comes before is not wanted: `A`.
 * Perhaps not wanted: `S`, near a channel `V`, right beside one `v`. Told of others or of what was: `T`. Under a condition: `U`. No refusal,
 * though it has a word of one: `F`. Where something comes from or goes: `g`.
 */
export const cues: Readonly<Record<string, string>> = {
  F: `readers|listeners|viewers|people|customers|audience from, leser*|hörer*|zuschauer*|kunden|nutzer*|menschen|leute aus, or|oder|ou|o nothing|nichts|rien|nada, oder gar nichts, not only|just|above|over, nothing but|over|above|less, dont|not mind, dont|not hesitate, cant|cannot do without, no better, no|not more|less|higher|greater than, not to exceed, not exceed*, must not exceed, no|zero problem|rush|doubt|hurry|limit|preference|brainer,
    without doubt|exception|delay, without a doubt, if possible, if you can, if you have, let me|us know if, less than, more or less, at least, last minute, bus stop, not to mention, cant wait, looking forward, no matter, nothing fancy, no later than,
    nicht nur|über, nichts als|über|außer, nicht mehr|weniger|teurer|höher als, nicht so teuer, nicht teuer, nicht übersteig*, ohne zweifel|weiteres|ausnahme, kein problem, keine eile, wenn|falls möglich, weniger als, mehr oder weniger, gar nicht teuer,
    pas seulement|plus|mal, pas cher*, pas trop cher*, rien contre, pas plus de, non seulement, rien que, ne dépass* pas, sans dépasser, sans doute|problème|exception|attendre, pas de problème|souci, si possible, moins de, au moins, plus ou moins, n hésitez pas, en plus de, de plus,
    no sólo|solo|solamente|superar|superior|supere, nada más que, no más|menos de|que, menos de, sin duda|embargo|problema|prisa|excepción|superar|pasar, no hay problema|prisa, al menos, por lo menos, si es posible, más o menos, ni idea`,
  n: "no, nein, nope",
  N: `neither, nor, zero, minus, not, nothing|nix|nichts|rien|nada with|about|on|in|mit|zu|im|sur|avec|de|con|en, not interested in, no interest|need|appetite in|for, not|dont|doesnt want|need, do not want|need, not keen on, rather not, no more,
    kein, keine, keinen, keinem, keiner, keines, keinerlei, keinesfalls, weder, nicht, auf keinen fall, kein interesse|bedarf an, bloß|nur|bitte kein|keine|keinen, finger weg von,
    pas de|d|du, pas question|besoin de|d, surtout pas de|d, jamais de|d, aucun, aucune, ni, zéro, exit, ningún, ninguna, cero, no queremos|quiero|quiere|necesitamos, tampoco, ni hablar de, nada de`,
  X: `without, ohne, sans, sin, except, except for, with the exception of, anything|everything|everywhere|all but, other than, apart from, outside of, instead of, in place of, rather than, außer, ausser, ausgenommen, mit ausnahme von|der, abgesehen von, außerhalb, statt, anstatt, anstelle von,
    sauf, hors, hormis, excepté, à l exception|exclusion de|du|des, à part, en dehors de|du|des, au lieu de|du|des|d, plutôt que|qu, excepto, salvo, menos, quitando, con|a excepción de, fuera de|del, aparte de|del, al margen de|del, que no sea|sean, en vez|lugar de|del`,
  H: `avoid, avoiding, avoids, exclude, excludes, excluding, exclusion, exclusions, excl, skip, skipping, omit, leave|leaving out, stay|keep|keeping away from, steer clear of, not|dont suggest|propose|include|show|send|offer|use|recommend, do not suggest|propose|include|show|send|offer|use|recommend, no go, no gos,
    vermeid*, meiden, meidet, ausschließ*, ausschliess*, ausschluss, ausschlüsse, ausschlussliste, ausspar*, weglassen, nicht vorschlagen|anbieten|zeigen, évite, évitez, éviter, évitons, exclure, excluez, excluons, excluant, ne proposez pas, ne pas proposer|inclure,
    evitar, eviten, evitad, evite, evitando, excluir, excluyan, excluyendo, exclusiones, descartar, descarten, no proponer|incluir|ofrecer, no propongan, blacklist, blocklist, negative list|lists, negativliste, sperrliste, liste noire|négative, lista negra|negativa`,
  A: `excluded, is|are|ist|sind out|raus|tabu|taboo, is|are out of the question, is|are off the table, is|are not an option, not an option, is|are a no go, off limits, not|un wanted|desired|accepted|allowed|permitted|approved|acceptable|requested|required, unwanted, undesired, prohibited, forbidden, banned, blocked, rejected, not planned|foreseen|intended,
    ausgeschlossen*, unerwünscht*, tabu, nicht vorgesehen*|geplant*|eingeplant*|gewünscht*|erwünscht*|zugelassen*|erlaubt*|gestattet*|akzeptiert*|genehm*|gefragt, verboten*, untersagt*, gesperrt*, scheidet|scheiden aus, entfällt, entfallen, nicht infrage, nicht in frage|betracht, kommt|kommen nicht infrage, kommt|kommen nicht in frage|betracht, brauchen|wollen|möchten wir nicht,
    interessiert|interessieren uns nicht, lehnen wir ab, bleibt|bleiben außen vor, nein danke, exclu, exclus, exclue, exclues, interdit*, proscrit*, refusé*, écarté*, à exclure|éviter|proscrire|bannir, hors de question, non merci, non, non souhait*|prévu*|retenu*|désiré*|voulu*|admis*|autorisé*|accepté*, ne nous intéresse|intéressent pas,
    excluid*, prohibid*, vetad*, rechazad*, descartad*, no previst*|admitid*|desead*|permitid*|aceptad*|autorizad*|querid*|válid*, queda|quedan fuera|descartad*|excluid*, no gracias, no nos interesa|interesan, no thanks, no thank you, ni hablar`,
}

/** Those that are words of another kind in another language: read in the brief's own, or in all where that is not certain. */
export const cuesIn: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    S: `never, of no use, none, nothing, nobody, hardly, unless, instead, besides, cannot, cant, dont, doesnt, didnt, isnt, arent, wasnt, werent, wont, wouldnt, couldnt, shouldnt, havent, hasnt, mustnt, aint, already have|booked|running|covered|done, covered already, have already booked, are|is already, already did, is|are finished, elsewhere, save for, no longer, no to,
      too expensive|pricey|costly, less, fewer, ruled out, rule out, ruled the following out, swore, had it, had enough, had our fill, fill of, fed up, sick of, tired of, done with, to death, out of scope, not for, refrain, veto*, boycott*, spare us|me, hmm, no way, skeptical, sceptical, opposed, against, allergic, sooner, do without,
      wasted on, waste of, pointless, useless, worthless, away from, keep it|them away, off limits, gave up on, get rid of, leave us cold, leaves us cold, i doubt, you can keep, and i quit, one more, count us out, moved on, moving away, walked away, hold the, strike the, resist the, out of it, well out of, anything but, rather than`,
    V: `forget, forget about, stop, stopped, drop, dropped, dropping, ditch*, axe, axed, scrap, quit, quitting, hate, hates, loathe*, dislike*, despise*, detest*, refus*, reject*, declin*, oppos*, ban, bans, block, shelve*, outgrown, abandon*, omit*, resist, lesson, phase out, overrated, pointless, waste, wasted, wasteful, creeps, burned, burnt,
      bore, bores, boring, flop*, fail*, disappoint*, useless, can wait, stretch, bad taste, badly, run its course, belongs to the past, binned, break from, parted ways, a miss, meh, nah, ugh, fell flat, weaning, crossed off, had our, tried, done, giving up`,
    v: "cut, cutting, kill, off, away, out, past, dead, bad, poor, enough",
    T: `last year|time|month|season|summer|winter|spring|autumn|fall|week, in the past, used to, years ago, year ago, years in, back then, back in, in the 80s|90s|nineties|eighties, previous|former campaign*, previously, formerly, we did, i did, we ran, we tried, i tried, competitor*, competition, rival, rivals, people say, they say, says, said, told, suggested,
      proposed, recommended, swears by, if it were, if it was, were it up to, up to me, it is like, its like, would have, had we, kind of like, our own ceo, my|our ceo|nan|partner|husband|wife|boss|nephew|niece|son|daughter|cousin|brother|sister|uncle|neighbour|neighbor|agency|accountant|colleague|friend|father|mother|founder, the agency before, last agency`,
    U: "if, whether, in case, not necessarily, why not, or maybe not",
    g: "made|based|headquartered|founded|produced|grown|born|registered|imported|office in|from, offices in, we are|were from, comes|come|coming from, from, flights|trips|travel|travels|travelling|travellers|travelers|holidays|fly|flying|flies|export|exports|move|moving to",
  },
  de: {
    S: `nie, niemals, nichts, nix, kaum, stattdessen, anstelle, weniger, haben wir schon|bereits, wir haben schon|bereits, schon|bereits gebucht, ist|sind schon|bereits, bis auf, schluss mit, vergiss, vergessen, verzicht*, zu teuer, die nase voll, weglassen, lassen wir weg, abstand, abgeschworen, gegen, satt, genug von, genug bezahlt, ungern, skeptisch, machen wir schon|bereits|selbst, sparen wir uns, schenken wir uns, die finger von, wir die finger, wertlos,
      euch|sich|ihnen|uns sparen, gar nicht, verschon*, abgehakt, halte ich nichts, halten wir nichts, kann|können warten, einen bogen, weg von, absehen, abzusehen, sehen wir ab`,
    V: `loswerden, streich*, gestrichen, verabscheu*, hass*, boykott*, enttäusch*, untersag*, verbiet*, überflüssig, vergeudet, verschwend*, geldverschwendung, reinfall, passé, schlecht, wenig, erledigt, verabschiedet, schnee von gestern, bogen, verpufft, rausgeworfenes, aufgegeben, kostet nur, überzeugt, fällt|fallen weg, steigen aus, unübersichtlich`,
    v: "weg, durch, aus, raus, warten, nein",
    T: `letztes|letzten|letzte|voriges|vorigen jahr|mal|monat|saison|woche|sommer|winter, im vorjahr, frühere|vorherige kampagne*, früher, damals, bisher, ehemals, vor jahren, wettbewerber*, konkurren*, mein|meine|unser|unsere partner*|mann|frau|chef*|neffe|nichte|sohn|tochter|cousin|bruder|schwester|schwager|schwägerin|nachbar*|agentur|kolleg*|freund*|vater|mutter, alle sagen,
      haben wir durch, hatten wir heuer, wenn es nach, ginge es nach, ist wie, empfahl, schlug, meinte, sagt, sagte, riet`,
    U: "wenn, falls, sofern, ob, nicht unbedingt, warum nicht",
    g: "ansässig in, hergestellt in, sitz in, sitzen|sitzt in, gegründet in, stammt|stammen aus, kommen|kommt aus, wir sind aus, aus, nach",
  },
  fr: {
    S: `pas, ne, n, jamais, rien, guère, sinon, moins, avons déjà, déjà réserv*|fait|pris|donné, a déjà, est|sont déjà, ailleurs, plus de|d, plus du tout, plus jamais|aucun|aucune, trop cher*, oublie, oublions, oubliez, oublier, renonc*, bannir, soupé, marre, ras le bol, écart*, impasse, contre, très peu pour, se|s en passe*, en passera, passez vous en, inutile, inutiles, passera de, de côté, argent jeté, stop, rayé*, épargnez, abstenir, abstenons, abstiendr*, horreur de|d`,
    V: `abandon*, détest*, interdi*, inutile, gâchis, dépassé*, déçu*, flop, bouder, boudons, peut|peuvent attendre, laisse froids, mal, perte, relève du passé, fini, adieu, laiss* tomber, un trait sur, les dents sur, sortir de, la page de, jeté, yeux de la tête, fuir, fuyons, lassé*`,
    v: "passé, assez",
    T: `l an dernier, l année dernière, l an passé, le mois dernier, campagne précédente|passée, autrefois, dans le temps, jadis, auparavant, concurren*, mon|ma|notre|nos associé*|mari|femme|patron*|neveu|nièce|fils|fille|cousin*|frère|soeur|voisin*|agence|collègue*|ami|amie|père|mère|beau, on nous a, on m a, s il ne tenait, si c était, si ça ne tenait, c est comme, disait, dit que, proposait`,
    U: "si, quand, pas forcément|nécessairement, pourquoi pas",
    g: "basée|basé|basés|basées en|au|à|aux, fabriqué|fabriquée|fabriqués|fabriquées en|au|aux, née|né en|au|aux, siège en|au|aux, bureaux en|au|aux, venons de|d|du, venus de|d|du, originaire de|d|du, vers, voyages|vols en|au|aux",
  },
  es: {
    S: `nunca, jamás, nada, nadie, apenas, por qué no, ya tenemos|llevamos|hemos|no|cansa, ya los|las|lo|la tenemos|llevamos, demasiado car*, olvid*, prescind*, renunci*, dejar|dejamos|dejad|deja fuera, hart*, hasta el gorro, inútil, inútiles, basta, paso de, pasamos de, abstener*, descart*, contra, ni acercarse, lejos de, huir de, huimos de, sobra, sobran, manía, para quien la|lo|las|los quiera, quita, quita quita, ni loco, ni locos`,
    V: `detest*, odio, odia, odian, odiamos, odiar, prohíb*, prohib*, abandon*, inútil, fracas*, decepcion*, cansados, cansa, tirar, pérdida, puede|pueden esperar, deja fríos, encaja mal, quemamos, quemados, pasado de moda, dejar, dejamos, dejad, alej*, ojo de la cara, fuera, ahorradnos, menos, malgast*, aburre*`,
    v: "mal, deja",
    T: `el año pasado, el mes pasado, la última vez, campaña anterior|pasada, la temporada pasada, antaño, en su día, competencia, competidor*, rival, rivales, mi|nuestro|nuestra socio|socia|marido|mujer|jefe|jefa|sobrino|sobrina|hijo|hija|primo|prima|hermano|hermana|vecino|vecina|agencia|cuñado|cuñada|colega|amigo|amiga|padre|madre, si fuera por, si por mí|él|ella fuera,
      si dependiera de, es como, nos propus*, me propus*, dice que, decía`,
    U: "si, no necesariamente, cuando, que tal",
    g: "basada|basado|basados|basadas en, fabricado|fabricada|hecho|hecha en, nació|nacida|nacido en, sede en, somos de, venimos de, oficinas en, hacia, viajes|vuelos|viajeros|viajar a",
  },
}
/** "Rather newsletters than podcasts": before what is wanted more `r`, and what is wanted less `q`. */
export const comparing = {
  r: "rather, sooner, prefer, prefers, preferred, lieber, eher, bevorzugen, plutôt, mieux, préférons, préfère, mejor, preferimos, prefiero, prefiere, antes",
  q: "than, over, versus, vs, als, gegenüber, que, qu",
}
/** Nothing else will do: `e`. */
export const onlyWords =
  "only, solely, exclusively, nothing else, no use to us, no use for, nur, ausschließlich, nichts anderes, uniquement, seulement, exclusivement, rien d autre, visons que, cherchons que, voulons que, solo nos, sólo nos, solamente, únicamente, exclusivamente, nada más"
/** Signs say no in any language. */
export const crosses = "❌, ✗, ✘, 🚫, ⛔, 👎"

/** Begin a clause of their own; what was told of others ends there, too. */
export const turns =
  "but aber mais pero sondern sino jedoch however allerdings although doch whereas now diesmal jetzt heute maintenant ahora cette-fois esta-vez this-time so"
export const orWords = "or nor oder noch ou o u"
export const andWords = "and und et y e sowie plus"
/** Stand for what was named before. */
export const pronouns =
  "it its that thats this them those these both das dies diese beide beides davon dafür en y ça cela les lo los las eso esos ambos"

/** Beside a channel they say nothing of their own: articles, prepositions, courtesies, words of the trade. */
export const fillers = `the a an any anything all more other kind kinds sort of such for in on at to with by as via please thanks thank thx you me us we i our this time again either whatsoever is are be will at all any kind still also only just some
  der die das den dem des ein eine einen im am an auf bei mit von zu zum zur für um als per bitte danke mehr uns wir ich auch lieber eher generell überhaupt jegliche jeglicher sind ist werden wird
  le la les l un une des de du d en dans à au aux sur pour par svp s il vous plaît merci nous on je surtout est sont toute tout el los las lo una unos unas del con al para por favor gracias es son nosotros ningún tipo
  ad ads spot spots advert adverts advertising advertisement advertisements campaign campaigns inventory package packages placement placements format formats channel channels media medium option options sponsorship sponsorships slot slots
  werbung anzeige anzeigen kampagne kampagnen paket pakete format formate kanal kanäle medien werbespots werbeformate platzierungen publicité publicités pub pubs campagne campagnes annonce annonces canal canaux support supports publicidad anuncio anuncios campaña campañas canales formato formatos soporte soportes medios`

/** After the name of a channel: something that is sold or done, none of the trade. */
export const goods =
  "controlled recording software app apps tool tools platform studio studios equipment microphone microphones mic mics maker makers hosting host hosts course courses awards cable cables repair workshop museum software-anbieter mikrofone mikrofon geräte gerät sender-app kurs kurse logiciel logiciels micro micros matériel formation curso cursos micrófono micrófonos equipo estudio"
