import { type Language, languages } from "../words/languages.ts"
import { Phrases, wordSet as set } from "../words/tokens.ts"

/**
 * `no`: what comes next is unwanted. `avoid`: the same, and "and" goes on with it. `after`: what comes before is unwanted. `have`: what is
 * there already, before or after it. `fine`: no negation, though it has a word of one. `unsure`: any other word of negation. `start`: such a
 * word at the start of a clause.
 */
export type Cue = "no" | "avoid" | "after" | "have" | "fine" | "unsure" | "start"

const tables: Readonly<Record<Language, Readonly<Record<Cue, string>>>> = {
  en: {
    no: "no, without, neither, do not want, dont want, do not need, dont need, does not want, doesnt want, nothing with, nothing about, nothing to do with, not interested in, no interest in, absolutely no, strictly no, definitely no, rather not do, rather not use",
    avoid:
      "avoid, avoiding, to avoid, please avoid, exclude, excluding, to exclude, please exclude, excl, except, with the exception of, anything but, everything but, everywhere but, anywhere but, other than, apart from, stay away from, steer clear of, leave out, keep away from, skip, do not suggest, dont suggest, do not propose, dont propose, do not include, dont include, do not show, dont show, do not show us, do not send, dont send, do not offer, dont offer, do not use, dont use, not wanted, unwanted, exclusions, excluded, dont show me, do not show me, outside",
    after:
      "are excluded, is excluded, excluded, are not wanted, is not wanted, unwanted, is not an option, are not an option, not an option, is no option, are no option, are out, is out, are out of the question, is out of the question, out of the question, are off the table, is off the table, off the table, is a no, are a no, is a no go, are a no go, are a no no, is not for us, are not for us, not for us, is not needed, are not needed, not needed, need not apply, are off limits, is off limits",
    have: "already have, already booked, have already booked, already bought, have already bought, already covered, already running, already run, already got, is already booked, are already booked, is already covered, are already covered",
    fine: "more than, less than, fewer than, better than, older than, younger than, other than that, not only, not just, nothing but, none other than, no more than, not more than, not above, not over, nothing over, nothing above, not exceeding, no later than, no less than, not less than, not to mention, no problem, no matter, no rush, no worries, no doubt, without doubt, without a doubt, without fail, no issue, no issues, no preference, no preferences, no fixed, no minimum, no limit, no idea, no hurry, no strings, no need to rush, no brainer, last but not least, why not both, not far from, no later",
    unsure:
      "not, never, none, nothing, nobody, hardly, barely, rarely, unless, instead, than, cannot, cant, dont, doesnt, didnt, isnt, arent, wasnt, werent, wont, wouldnt, couldnt, shouldnt, havent, hasnt, already, elsewhere, save for, forget, fed up, tired of, hate, hates, dislike, dislikes, refuse, refuses, refused, reject, rejects, rejected, ban, bans, banned, done with, out of it, barring, no longer, no need, nope, nah, no to",
    start:
      "stop, drop, ditch, exit, bye, goodbye, enough, less, minus, out with, scrap, cut, kill, lose, pause, cancel, end, hold off, pass on",
  },
  de: {
    no: "kein, keine, keinen, keinem, keiner, keines, keinerlei, ohne, nichts mit, nichts über, nichts zu, weder, auf keinen fall, keinesfalls, bitte kein, bitte keine, bloß kein, bloß keine, kein interesse an, auch kein, auch keine, auch keinen",
    avoid:
      "außer, ausser, ausgenommen, mit ausnahme von, mit ausnahme der, abgesehen von, vermeiden, meiden, wir meiden, bitte meiden, ausschließen, ausschliessen, bitte ausschließen, ausschlüsse, ausschluss, exklusive, exkl, nicht vorschlagen, bitte nicht vorschlagen, nicht gewünscht, unerwünscht, no gos, außerhalb, ausserhalb",
    after:
      "ausgeschlossen, sind ausgeschlossen, ist ausgeschlossen, ausgenommen, scheiden aus, scheidet aus, scheiden leider aus, kommen nicht in frage, kommt nicht in frage, kommen nicht infrage, kommt nicht infrage, fallen weg, fällt weg, fallen raus, fällt raus, sind raus, ist raus, sind tabu, ist tabu, tabu, sind keine option, ist keine option, brauchen wir nicht, brauchen wir keine, wollen wir nicht, möchten wir nicht, lehnen wir ab, nicht erwünscht, sind nicht gewünscht, ist nicht gewünscht, interessiert uns nicht, interessieren uns nicht, entfällt, entfallen",
    have: "haben wir schon, haben wir bereits, haben wir schon gebucht, haben wir bereits gebucht, ist schon gebucht, ist bereits gebucht, sind schon gebucht, sind bereits gebucht, schon gebucht, bereits gebucht, bereits abgedeckt, schon abgedeckt, haben schon, haben bereits, wir haben schon, wir haben bereits",
    fine: "nicht nur, nichts als, nichts anderes als, nicht mehr als, nicht über, nicht teurer als, nicht zuletzt, ohne zweifel, ohne weiteres, kein problem, keine frage, keine eile, kein thema, keine ahnung, keine präferenz, keine vorgaben, kein muss, nicht weniger als, keine sorge, warum nicht beides, nicht später als",
    unsure:
      "nicht, nie, niemals, nichts, niemand, kaum, selten, statt, anstatt, anstelle, stattdessen, es sei denn, schon, bereits, anderweitig, woanders, vergiss, vergessen, vergesst, schluss mit, ungern, verzichten, verzicht, hassen, streichen, finger weg, bis auf, ablehnen, abgelehnt, weglassen, nein",
    start: "weg, raus, schluss, genug, weniger, exit, tschüss, stopp, stop, streicht, streiche, lass, lasst, pausiert",
  },
  fr: {
    no: "sans, pas de, pas d, pas du, pas des, aucun, aucune, ni, surtout pas de, surtout pas d, plus de question de, ne voulons pas de, ne voulons pas d, ne souhaitons pas de, ne veut pas de, ne voulons aucun, rien sur, rien avec, pas question de, pas besoin de, jamais de, pas intéressés par",
    avoid:
      "sauf, hors, hormis, excepté, à l exception de, à l exception du, à l exception des, à part, éviter, évitez, évitons, à éviter, exclure, excluez, à exclure, à proscrire, ne proposez pas, ne pas proposer, exclusions, en dehors de, en dehors du, en dehors des",
    after:
      "exclu, exclus, exclue, exclues, est exclu, est exclue, sont exclus, sont exclues, exceptés, exceptées, hors de question, est hors de question, sont hors de question, ne nous intéresse pas, ne nous intéressent pas, non merci, s abstenir",
    have: "avons déjà, on a déjà, déjà réservé, déjà réservée, déjà réservés, déjà réservées, déjà acheté, déjà couvert, déjà couverte, est déjà réservée, est déjà réservé, sont déjà réservés",
    fine: "pas seulement, non seulement, pas que, rien que, pas plus, ne dépassant pas, sans doute, sans aucun doute, sans problème, pas de problème, pas de souci, sans souci, sans faute, pas de préférence, sans préférence, pas mal, pas moins de, aucun problème, pas loin de, sans tarder, sans plus tarder, ni plus ni moins, aucune urgence, pas d urgence",
    unsure:
      "pas, ne, n, jamais, rien, guère, au lieu, sinon, à moins, déjà, ailleurs, oublie, oublions, oubliez, oublier, ras le bol, marre, non, renoncer, bannir, banni, refuser",
    start:
      "exit, adieu, stop, fini, finie, finis, finies, terminé, assez, moins, plus de, plus d, arrêtons, arrêtez, basta, ciao, halte",
  },
  es: {
    no: "no, sin, nada de, ningún, ninguna, ningun, ni, no queremos, no quiero, no quiere, no queremos nada de, no necesitamos, que no sea, que no sean, tampoco, no incluir",
    avoid:
      "excepto, salvo, menos, evitar, evitando, eviten, a evitar, excluir, excluyendo, a excluir, exclusiones, con excepción de, a excepción de, fuera de, aparte de, no proponer, no propongan, no incluyan, no mostrar, descartar, descartamos, todo menos, todo excepto, no go",
    after:
      "excluido, excluidos, excluida, excluidas, descartado, descartados, descartada, descartadas, quedan descartados, quedan descartadas, queda descartado, queda descartada, quedan fuera, queda fuera, no nos interesa, no nos interesan, no hace falta, no hacen falta, no gracias",
    have: "ya tenemos, ya hemos reservado, ya hemos comprado, ya hemos contratado, ya está reservado, ya está reservada, ya están reservados, ya reservado, ya contratado, ya llevamos, ya los llevamos, ya las llevamos, ya lo llevamos, ya la llevamos, ya los tenemos, ya las tenemos, ya lo tenemos, ya la tenemos",
    fine: "no sólo, no solamente, nada más que, no más de, no más que, no superior a, no superar, sin duda, sin lugar a dudas, sin embargo, sin problema, sin problemas, no hay problema, no importa, sin prisa, menos de, por lo menos, al menos, más o menos, no menos de, sin preferencia, sin falta, no hay prisa, no lejos de",
    unsure:
      "no, nunca, jamás, nada, nadie, apenas, en vez de, en lugar de, por qué no, a no ser, a menos que, ya, en otro lado, en otra parte, olvidar, olvidamos, olvidemos, olvidad, harto, hartos, no necesariamente, rechazar, odiamos, prescindir, prescindimos",
    start: "fuera, basta, adiós, stop, exit, menos, dejad, dejemos, paremos, chao, se acabó, olvida",
  },
}

const cuesIn: Partial<Record<Language, Phrases<Cue>>> = {}

function phrasesIn(language: Language): Phrases<Cue> {
  const known = cuesIn[language]
  if (known !== undefined) return known
  const phrases = new Phrases<Cue>()
  for (const [cue, list] of Object.entries(tables[language]))
    for (const phrase of list.split(",")) phrases.add(phrase, cue as Cue)
  cuesIn[language] = phrases
  return phrases
}

/** The cues of all languages, those of the brief's own first: a short brief may be taken for another language, but nothing inverted. */
export function cuesOf(language: Language = "en"): readonly Phrases<Cue>[] {
  return [language, ...languages.filter((each) => each !== language)].map(phrasesIn)
}

/** Begin a clause of their own. */
export const turns = set("but aber mais pero sondern sino jedoch however allerdings though although doch while whereas")
export const orWords = set("or nor oder noch ou ni o u")
export const andWords = set("and und et y e sowie plus")
/** Between a cue and what it is about. */
export const fillers =
  set(`the a an any all more other kind kinds of such der die das den dem des ein eine einen im am an auf bei mit von zu zum zur für um jegliche
  le la les l un une des de du d en dans à au aux sur pour el los las lo un una unos unas de del en con al para for in on please bitte svp als`)
/** After what is not wanted: says nothing more. */
export const closers = set(
  "please bitte thanks danke merci gracias svp thx either whatsoever mehr us uns nous nosotros at all überhaupt all generell favor por du tout",
)
/** In a clause of its own these make whatever is beside them wanted, or at least not unwanted. */
export const wishes =
  set(`fine ok okay yes welcome want wants need prefer preferred love like good great only instead looking gern gerne lieber wollen möchten brauchen suchen sucht ja nur stattdessen gut perfekt
  oui voulons souhaitons préférons plutôt cherchons seulement uniquement bien queremos preferimos buscamos necesitamos sí solo sólo vale mejor would is are ist sind est sont es son be run works`)
/** What is said of these is said of the part of a clause behind them: about what, with what. */
export const aboutWords = set("about with on über mit zu rund sur avec autour sobre con de")
export const conditions = set("if when whether unless wenn falls sofern ob quand cuando si")
/** Stand for what was named before. */
export const pronouns = set(
  "it its that thats this them those these das dies diese davon dafür en y ça cela les lo los las eso esos",
)
/** Answers to a thing that was named before: "Podcasts? No." */
export const answers = new Set(
  "no|nope|nein|non|nada|no thanks|no thank you|nein danke|non merci|no gracias|lieber nicht|eher nicht|bitte nicht|please no|rather not|surtout pas|mejor no|no por favor|never|niemals|jamais|nunca|auf keinen fall|excluded|ausgeschlossen|exclu|excluido".split(
    "|",
  ),
)
