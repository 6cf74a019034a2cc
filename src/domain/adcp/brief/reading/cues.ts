import { Phrases, wordSet as set } from "../words/tokens.ts"

/**
 * `no`: what comes next is unwanted. `verb`: what comes next, or else before. `after`: what comes before. `instead`: the thing right after it.
 * `have`: what is there already, before or after it. `fine`: no negation, though it has a word of one. `unsure`: any other word of negation.
 */
export type Cue = "no" | "verb" | "after" | "instead" | "have" | "fine" | "unsure"

// Of all four languages: a short brief may be taken for another one, but nothing is inverted. "a|b c" is "a c" and "b c"; "evit*" begins a word.
const table: Readonly<Record<Cue, string>> = {
  no: `no, without, neither, nothing|nix|nichts|rien|nada with|about|on|mit|über|zu|sur|avec|de|con, nothing to do with, not interested in, no interest|need in|for, not|dont|doesnt want|need,
    rather not do|use, kein, keine, keinen, keinem, keiner, keines, keinerlei, ohne, weder, auf keinen fall, keinesfalls, kein interesse an,
    sans, pas de|d|du|des, aucun, aucune, ni, plus question de, pas question|besoin de|d, jamais de|d, ne voulons|veut|souhaitons aucun|aucune, pas intéressés par,
    sin, ningún, ninguna, no queremos|quiero|quiere|necesitamos, que no sea|sean, tampoco, anything|everything|everywhere|anywhere but, other than, apart from, except, with the exception of, outside,
    außer, ausser, ausgenommen, mit ausnahme von|der, abgesehen von, außerhalb, ausserhalb, exklusive, exkl, sauf, hors, hormis, excepté, à l exception de|du|des, à part, en dehors de|du|des,
    excepto, salvo, menos, con|a excepción de, fuera de, aparte de`,
  verb: `avoid*, exclude, excludes, excluding, exclusions, excl, skip, skipping, leave|leaving out, stay|keep away from, steer clear of, not|dont suggest|propose|include|show|send|offer|use, not wanted, unwanted,
    vermeid*, meiden, meidet, ausschließ*, ausschliess*, ausschlüsse, ausschluss, ausspar*, weglass*, verzicht*, nicht vorschlagen|gewünscht|erwünscht|anbieten, unerwünscht, no gos,
    évit*, exclure, excluez, excluons, proscri*, renonc*, ne proposez pas, ne pas proposer, evit*, excluir, excluy*, exclusiones, descart*, prescind*, no proponer|propongan|incluir|incluyan|mostrar, no hace|hacen falta,
    no nos interesa|interesan, no go`,
  after: `excluded, is|are|ist|sind out|excluded|unwanted|raus|tabu|ausgeschlossen, is|are not wanted|needed, not needed, is|are not an option, not an option, is|are no option, is|are out of the question,
    out of the question, is|are off the table|limits, off the table|limits, is|are a no, is|are a no go|no, is|are not for us, not for us, need not apply, ausgeschlossen, tabu, scheidet|scheiden aus,
    scheidet|scheiden leider aus, kommt|kommen nicht infrage, kommt|kommen nicht in frage, fällt|fallen weg|raus, ist|sind keine option, brauchen|wollen|möchten wir nicht|keine|keinen, lehnen wir ab,
    ist|sind nicht gewünscht|erwünscht, interessiert|interessieren uns nicht, entfällt, entfallen, exclu, exclus, exclue, exclues, exceptés, exceptées, est|sont exclu|exclus|exclue|exclues, hors de question,
    est|sont hors de question, ne nous intéresse|intéressent pas, non merci, s abstenir, excluid*, queda|quedan fuera|descartado|descartada|descartados|descartadas|excluido|excluida|excluidos|excluidas, no gracias`,
  instead: `instead of, in place of, rather than, statt, anstatt, anstelle von, au lieu de|du|des|d, plutôt que|qu, en vez|lugar de|del`,
  have: `already have|booked|bought|covered|running|run|got, have already booked|bought, is|are already booked|covered, haben wir schon|bereits, haben wir schon|bereits gebucht, ist|sind schon|bereits gebucht, schon|bereits gebucht|abgedeckt,
    haben schon|bereits, wir haben schon|bereits, avons déjà, on a déjà, déjà réserv*, déjà achet*, déjà couvert*, est|sont déjà réserv*, ya tenemos|llevamos|contratado|reservado, ya los|las|lo|la tenemos|llevamos,
    ya hemos reservado|comprado|contratado, ya está|están reservado|reservada|reservados|reservadas`,
  fine: `or|oder|ou|o nothing|nichts|rien|nada, oder gar nichts, more|less|fewer|better|older|younger than, other than that, not only|just|above|over|exceeding, nothing but|over|above|else, dont mind|care, not mind|care, none other than, no|not more|less than, no later, no later than, not to mention,
    no problem|matter|rush|worries|doubt|issue|issues|preference|preferences|fixed|minimum|limit|idea|hurry|strings|brainer, no need to rush, without doubt|fail, without a doubt, last but not least, why not both, not far from,
    nicht nur|über|zuletzt, nichts als, nichts anderes als, nicht mehr|weniger|teurer|später als, ohne zweifel|weiteres, kein problem|thema|muss, keine frage|eile|ahnung|präferenz|vorgaben|sorge, warum nicht beides,
    pas seulement|que|plus|mal, non seulement, rien que, ne dépassant pas, sans doute|problème|souci|faute|préférence|tarder, sans aucun doute, sans plus tarder, pas de problème|souci|préférence, pas moins de, pas loin de,
    aucun problème, ni plus ni moins, aucune urgence, pas d urgence, no sólo|solamente|superar|importa, nada más que, no más|menos de|que, no superior a, sin duda|embargo|problema|problemas|prisa|preferencia|falta,
    sin lugar a dudas, no hay problema|prisa, menos de, por lo menos, al menos, más o menos, no lejos de`,
  unsure: `not, never, none, nothing, nobody, hardly, barely, rarely, unless, instead, besides, aside, less, fewer, cannot, cant, dont, doesnt, didnt, isnt, arent, wasnt, werent, wont, wouldnt, couldnt, shouldnt, havent, hasnt,
    already, elsewhere, save for, forget, barring, no longer, no to, too expensive, zu teuer, trop cher*, demasiado car*,
    nicht, nie, niemals, nichts, nix, niemand, kaum, selten, stattdessen, anstelle, weniger, es sei denn, schon, bereits, anderweitig, woanders, bis auf, schluss mit, vergiss, vergessen, vergesst,
    nein, pas, ne, n, jamais, rien, guère, au lieu, sinon, moins, déjà, ailleurs, plus de|d, non, oublie, oublions, oubliez, oublier,
    nunca, jamás, nada, nadie, apenas, en vez, por qué no, a no ser, a menos que, y menos, ya, en otro lado, en otra parte, olvidar, olvida, olvidamos, olvidemos, no necesariamente, ❌, ✗, ✘, 🚫, ⛔, 👎`,
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
/** After what is not wanted: says nothing more. */
export const closers =
  set(`please bitte thanks danke merci gracias svp thx either whatsoever mehr us uns nous nosotros at all überhaupt all generell favor por du tout
  is are ist sind est sont es son to zu à a we wir lieber gern möchten wollen sollte should would be`)
/** What is said of these is said of the part of a clause behind them: about what, with what. */
export const aboutWords = set("about with on über mit zu rund sur avec autour sobre con de")
/** What is said under a condition, or of somebody, is not said of what is wanted. */
export const conditions = set("if when whether unless who whose wenn falls sofern ob quand qui cuando si quien quienes")
/** Of whom it is certain that they want what the verb says: "we want to avoid radio", not "a mistake to avoid radio". */
export const wanting =
  set(`want wants wanted like prefer prefers need needs have has try trying going ask asks asked please bitten bittet bitte merci prière prions demandons
  décidé préférons voulons veut faut souhaitons souhaite queremos quiere quiero preferimos prefiero que favor mejor necesitamos debemos hay must should will shall and und et y`)
/** Stand for what was named before. */
export const pronouns = set(
  "it its that thats this them those these das dies diese davon dafür en y ça cela les lo los las eso esos",
)
/** Answers to a thing that was named before: "Podcasts? No." */
export const answers = new Set(
  "no|not|nope|nein|nicht|non|nada|no thanks|no thank you|nein danke|non merci|no gracias|lieber nicht|eher nicht|bitte nicht|please no|rather not|surtout pas|mejor no|no por favor|never|niemals|jamais|nunca|auf keinen fall|excluded|ausgeschlossen|exclu|excluido".split(
    "|",
  ),
)
