import { Phrases, wordSet as set } from "../words/tokens.ts"

/**
 * `no`: what comes next is unwanted. `prep`: the same, in a clause of its own. `verb`: what comes
 * next, or else before. `after`: what comes before. `have`: what is there already, before or after it. `fine`: no negation, though it has a
 * word of one. `unsure`: any other word of negation.
 */
export type Cue = "no" | "prep" | "verb" | "after" | "have" | "fine" | "unsure"

// Of all four languages: a short brief may be taken for another one, but nothing is inverted. "a|b c" is "a c" and "b c"; "evit*" begins a word.
const table: Readonly<Record<Cue, string>> = {
  no: `no, neither, nothing|nix|nichts|rien|nada with|about|mit|zu|sur|de|con, not interested in, no interest|need in|for, not|dont|doesnt want|need,
    kein, keine, keinen, keinem, keiner, keines, keinesfalls, weder, auf keinen fall, pas|jamais de|d, pas question|besoin de|d, aucun, aucune, ni, ningún, ninguna,
    no queremos|quiero|quiere|necesitamos, tampoco`,
  prep: `without, except, with the exception of, anything|everything|everywhere but, other than, apart from, outside, ohne, außer, ausser, mit ausnahme von|der, abgesehen von, außerhalb, ausserhalb,
    sans, sauf, hors, hormis, excepté, à l exception de|du|des, à part, en dehors de|du|des, sin, excepto, salvo, menos, con|a excepción de, fuera de, aparte de, que no sea|sean,
    instead of, in place of, rather than, statt, anstatt, anstelle von, au lieu de|du|des|d, plutôt que|qu, en vez|lugar de|del`,
  verb: `avoid*, exclude, excludes, excluding, exclusions, excl, skip, skipping, leave|leaving out, stay|keep away from, steer clear of, not|dont suggest|propose|include|show|send|offer|use, not wanted, unwanted,
    vermeid*, meiden, meidet, ausschließ*, ausschliess*, ausschluss, ausschlüsse, ausgenommen, ausspar*, weglass*, verzicht*, nicht gewünscht|erwünscht, unerwünscht, évit*, exclure, excluez, excluons, proscri*, renonc*, ne proposez pas, ne pas proposer,
    evit*, excluir, excluy*, exclusiones, descart*, prescind*, no proponer, no hace falta, no nos interesa|interesan, no go`,
  after: `excluded, is|are|ist|sind out|raus|tabu, is|are out of the question, is|are off the table, not an option, ausgeschlossen, scheidet|scheiden aus, entfällt, entfallen, kommt|kommen nicht infrage,
    kommt|kommen nicht in frage, brauchen|wollen wir nicht, interessiert|interessieren uns nicht, exclu, exclus, exclue, exclues, hors de question, ne nous intéresse|intéressent pas,
    non merci, excluid*, queda|quedan fuera, no gracias`,
  have: `already have|booked|running, have already booked, haben wir schon|bereits, haben wir schon|bereits gebucht, wir haben schon|bereits, schon|bereits gebucht, avons déjà, déjà réserv*,
    ya tenemos|llevamos, ya los|las|lo|la tenemos|llevamos, ya hemos contratado|reservado`,
  fine: `or|oder|ou|o nothing|nichts|rien|nada, oder gar nichts, more|less|better than, not only|just|above|over, nothing but|over|above|else, dont mind|care, no|not more|less|higher than,
    no problem|rush|doubt|hurry|limit|preference, without doubt, without a doubt, why not both, nicht nur|über, nichts als, nicht mehr|weniger|teurer als, ohne zweifel, kein problem, keine eile,
    pas seulement|plus|mal, non seulement, rien que, ne dépassant pas, sans doute|problème, pas de problème, no sólo|solamente|superar, nada más que, no más|menos de|que, no superior a, menos de,
    sin duda|embargo|problema|prisa, no hay problema|prisa, al menos, por lo menos`,
  unsure: `not, never, none, nothing, nobody, hardly, unless, instead, besides, less, fewer, cannot, cant, dont, doesnt, didnt, isnt, arent, wasnt, wont, wouldnt, couldnt, shouldnt, havent, hasnt,
    already, elsewhere, save for, forget, no longer, no to, too expensive, zu teuer, trop cher*, demasiado car*, hmm,
    nicht, nie, niemals, nichts, nix, kaum, stattdessen, anstelle, weniger, schon, bereits, bis auf, schluss mit, vergiss, vergessen,
    nein, pas, ne, n, jamais, rien, guère, sinon, moins, déjà, ailleurs, plus de|d, plus du tout, plus jamais|aucun|aucune, non, oublie, oublions, oubliez, oublier,
    nunca, jamás, nada, nadie, apenas, por qué no, ya, olvidar, olvida, olvidamos, olvidemos, no necesariamente, ❌, ✗, ✘, 🚫, ⛔, 👎`,
}

let phrases: Phrases<Cue> | undefined

export function cues(): Phrases<Cue> {
  if (phrases !== undefined) return phrases
  phrases = new Phrases<Cue>()
  for (const [cue, list] of Object.entries(table))
    for (const phrase of list.split(",").flatMap(variants)) phrases.add(phrase, cue as Cue)
  return phrases
}

function variants(phrase: string): string[] {
  const words = phrase.trim().split(/\s+/)
  return words.reduce<string[]>(
    (starts, word) => starts.flatMap((start) => word.split("|").map((each) => `${start} ${each}`)),
    [""],
  )
}

/** Begin a clause of their own. */
export const turns = set("but aber mais pero sondern sino jedoch however allerdings though although doch while whereas")
export const orWords = set("or nor oder noch ou ni o u")
export const andWords = set("and und et y e sowie plus")
/** Between a cue and what it is about. */
export const fillers =
  set(`the a an any all more other kind kinds of such der die das den dem des ein eine einen im am an auf bei mit von zu zum zur für um jegliche
  le la les l un une des de du d en dans à au aux sur pour el los las lo un una unos unas de del en con al para for in on please bitte svp als us me nos nous`)
/** Before and after what is not wanted: says nothing more. */
export const closers =
  set(`please bitte thanks danke merci gracias svp thx either whatsoever mehr us uns nous nosotros at all überhaupt generell favor por du tout elsewhere anderweitig ailleurs contratado contratada contratados contratadas
  is are ist sind est sont es son to zu à a we wir rather lieber eher surtout mejor gern should would be`)
/** What is said of these is said of the part of a clause behind them: about what, with what. */
export const aboutWords = set("about with on über mit zu rund sur avec autour sobre con de")
/** What is said under a condition, or of somebody, is not said of what is wanted. */
export const conditions = set("if when whether unless who whose wenn falls sofern ob quand qui cuando si quien quienes")
/** Stand for what was named before. */
export const pronouns = set(
  "it its that thats this them those these both das dies diese beide beides davon dafür en y ça cela les lo los las eso esos ambos",
)
/** At the end of a clause: said of what is before. */
export const answers = set("no not nope nein nicht non nada never niemals jamais nunca")
