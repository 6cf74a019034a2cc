import { memoize } from "../../../memoize.ts"
import { type Language, languages } from "../words/languages.ts"
import { isCapital, isDigits, stem, type Token, wordSet } from "../words/tokens.ts"
import type { Clause, Kind, Range } from "./clauses.ts"
import { pronouns } from "./cues.ts"

// Whether a clause surely wishes for what it names: it says so in words that are known, or it is a bare list. What any other word does to a
// thing nobody knows: "we swore off radio", "radio bores us", "axe radio".

/**
 * `wish`: something is wanted. `ask`: something is to be shown or bought, a wish where nothing unknown is beside it. `told`: of a sentence, not
 * of a list. `you`: the same, but a wish in a question. `our`: begins a sentence, or what is ours. `beside`: begins where, for whom or about what.
 * `some`: an article. `from`: away from what is next. `plain`: goes with any wish, in any form.
 */
type Role = "wish" | "ask" | "told" | "you" | "our" | "beside" | "some" | "from" | "plain"

const tables: Readonly<Record<Language, Readonly<Record<Role, string>>>> = {
  en: {
    wish: `want wants wanted wanting need needs needed looking look seeking seek seeks search searching love loves like prefer prefers preferred preferably ideally ideal plan plans planning planned interested interest welcome
      great perfect fine ok okay yes good best please wish wishes hope hoping request requests requested require required mainly mostly especially keen fancy objective goal rather think thinking suit suits`,
    ask: `book booking buy buying advertise advertising sponsor promote promoting launch launching send show give suggest propose recommend offer offers find bring include add target targeting reach reaching`,
    told: `we weve were i ive im youve they theyre he she it us me is are was am be been has have had do does did will would can could should might must let lets gets get got makes make`,
    you: "you what which how",
    our: "our my their its his her",
    beside: `for in on at by with about around across through throughout via within between during before until near per after including and or plus of who that whose where`,
    some: "a an some any another",
    from: "from off out away against past beyond",
    plain: `spot ad ads campaign sponsorship sponsored placement takeover mention show series inventory host read roll pre mid episode issue page homepage article
      native mobile live audience listener reader viewer people fan lover market impression click cpm cpc budget max maximum week month season brand client
      company product format channel local regional national global worldwide city weekly monthly cheap small large big short long standard vertical text
      content idea run running try trying test testing use sell something anything anywhere everywhere style post everything nothing new young old older
      younger adult women men seconds language speaking only just maybe perhaps either next this first ceiling guaranteed rewarded open true else one two
      three four five time online digital trade press weekend summer winter spring autumn north south east west northern southern eastern western pls plz`,
  },
  de: {
    wish: `suchen sucht suche gesucht wollen will möchten möchte gern gerne brauchen braucht brauche wünschen wünscht wunsch bevorzugt bevorzugen vorzugsweise idealerweise ideal liebsten lieber planen plant geplant interesse
      interessiert bitte super toll perfekt willkommen gut prima erbeten hauptsächlich vorrangig ja ziel fehlt fehlen ok denken denkbar besten`,
    ask: "buchen werben schalten bewerben anbieten vorschlagen zeigen schicken empfehlen erreichen sponsern belegen",
    told: `wir ich uns mir mich er man es ist sind war waren wird werden wurde hat haben hatte hatten kann können soll sollen muss müssen darf würden würde wäre wären`,
    you: "sie ihr ihnen habt was welche gibt",
    our: "unser unsere unserem unseren unserer unseres mein meine",
    beside:
      "im am an auf bei mit um über zu zum zur für nach vor während ab bis unter zwischen und oder sowie ins in von aus als vom ums per",
    some: "ein eine einen einem einer",
    from: "weg",
    plain: `werbung angebot anzeige kampagne spot sponsoring ausgabe zielgruppe hörer leser zuschauer woche monat regional national weltweit günstig idee testen machen starten
      start etwas kunde marke thema rund platzierung nur max maximal tkp cpc budget etat einfach deutsch deutschsprachig englisch kurz jung klein groß
      entweder hauptsache sehen jetzt diesmal sonst auch mitte abends morgens online digital markt land region sommer winter frühjahr herbst drei`,
  },
  fr: {
    wish: `cherchons cherche cherchent recherche recherchons voulons veux veut voudrions voudrais voudrait souhaitons souhaite souhaiterions aimerions aimerait aimerais besoin préférence préférons préfère idéalement idéal parfait
      parfaite bien bienvenu bienvenue prévoyons prévoit visons vise intéressés intéressé intéresse svp merci surtout oui volontiers objectif plutôt pensons pense mieux`,
    ask: "proposer proposez réserver acheter lancer lançons lance envoyez montrez toucher parrainer annoncer",
    told: "nous on je ils elles il elle est sont était sera serait ont avons avez ai peut peuvent faut doit fait",
    you: "vous quoi quel quels quelle quelles",
    our: "notre nos mon ma mes votre vos",
    beside: "pour en dans sur à au aux avec par chez autour pendant entre dès vers et ou de du d qui que avant après",
    some: "un une des",
    from: "loin contre",
    plain: `publicité campagne annonce spot lecteur auditeur semaine mois régional régionale local locale national nationale idée tester marque client produit public budget
      uniquement seulement max maximum cpm article sponsorisé texte petit petite grand grande secondes lu papier mobile début prochain prochaine jeune
      nouvelle marché pays région hiver printemps deux`,
  },
  es: {
    wish: `buscamos busco busca buscando queremos quiero quiere querríamos necesitamos necesito necesita preferimos prefiero preferiblemente preferible preferencia idealmente ideal perfecto perfecta genial gustaría interesa interesan
      interesados interesado desea deseamos planeamos favor bien encanta encantan gusta objetivo falta faltan sirve pensamos pienso mejor`,
    ask: "ofrecer ofrezcan proponer contratar comprar anunciar anunciarnos lanzar lanzamos llegar patrocinar",
    told: "es son era ser está están ha han hemos he tiene tenemos puede pueden podemos debe nos nosotros me se fue fueron sería serían",
    you: "tenéis tienen ustedes cuál cuáles hay",
    our: "nuestro nuestra nuestros nuestras mi mis su sus",
    beside: "para en con sobre a al por entre durante desde hasta y o de del que antes después",
    some: "un una unos unas",
    from: "contra fuera",
    plain: `publicidad anuncio campaña cuña lector oyente semana mes regional local idea marca cliente producto público presupuesto solo máximo cpm segundos algún alguna
      impreso móvil también estar grande joven nuevo mercado país región noche verano primavera otoño dos tres cuatro`,
  },
}

const roles = new Map(
  languages.map((language) => {
    const { plain, ...others } = tables[language]
    const byWord = new Map<string, Role>([...wordSet(plain)].map((word) => [stem(word), "plain"]))
    for (const [role, words] of Object.entries(others))
      for (const word of wordSet(words)) byWord.set(word, role as Role)
    return [language, byWord]
  }),
)

/** What words do in the language of a brief, or in any where that is not certain. */
export const rolesIn = memoize(languages.length + 1, (language: Language | undefined) => {
  const tables = (language === undefined ? languages : [language]).map((each) => roles.get(each))
  return ({ word, stem: key }: Token): Role | undefined => {
    for (const table of tables) {
      const exact = table?.get(word)
      if (exact !== undefined) return exact
      if (table?.get(key) === "plain") return "plain"
    }
    return undefined
  }
})

export interface Words {
  readonly tokens: readonly Token[]
  readonly language: Language | undefined
  readonly kindAt: (at: number) => Kind
  readonly roleAt: (at: number) => Role | undefined
  /** Whether a word is of the products or of a subject. */
  readonly isFamiliar: (at: number) => boolean
  /** Whether it belongs to the most that is to be spent. */
  readonly isLimit: (at: number) => boolean
}

type What = Exclude<Role, "you" | "plain"> | "thing" | "known" | "unknown" | "none"

function whatIs(at: number, { from, after }: Clause, { tokens, language, kindAt, roleAt, isFamiliar }: Words): What {
  const { word, raw, gap } = tokens[at] as Token
  const kind = kindAt(at)
  if (kind === "channel" || kind === "country") return "thing"
  if (isDigits(word)) return "known"
  const role = roleAt(at)
  if (role === "you") return after === "question" ? "wish" : "told"
  // "On" begins a sentence in French, where "a" is no "à".
  if (at === from && language === undefined && roles.get("fr")?.get(word) === "told") return "told"
  if (language === "fr" && /^a$/i.test(raw)) return "told"
  if (role !== undefined && role !== "plain") return role
  if (/\d/.test(word)) return "known"
  if (kind === "none") return "none"
  const isJoined = (at > from && gap === "hyphen") || tokens[at + 1]?.gap === "hyphen"
  // A name, or a German noun; but a sentence begins with any word.
  const isName = at > from && isCapital(raw)
  return role === "plain" || isJoined || isName || isFamiliar(at) ? "known" : "unknown"
}

export interface Weighed {
  /** The places of things that are not surely wished for. */
  readonly doubtful: readonly number[]
  /** Whether it is a bare list, of which the next clause may say something. */
  readonly isBare: boolean
  /** Whether it is a sentence without a wish. */
  readonly isTold: boolean
  /** Whether it only says something of what is before it, in words that nobody knows: "Radio: overrated", "Radio, that bores us". */
  readonly isRemark: boolean
  /** The places of amounts that somebody else spends, or that were spent. */
  readonly others: readonly number[]
}

// How many unknown words a preposition and an article may have behind them.
const [BESIDE_WORDS, SOME_WORDS] = [8, 2]
// "Podcasts over radio", "plutôt la radio que le podcast"; after a word of preferring also "newsletters to podcasts".
const COMPARING = /^(?:than|over|vs|versus|als|gegenuber|que|qu)$/
const PREFERRING = /^(?:to|above|before|a|au|aux|al|zu|zum|zur|vor|avant|antes)$/
const RATHER = /^(?:rather|sooner|prefer.*|lieber|eher|bevorzug.*|plutot|mieux|mejor|prefier.*)$/
// With all that is before it a noun, where something is named after it: "Dutch dairy farmers in print".
const PEOPLE = /(?:ers|ists|eurs|eros|istas|ores)$/
// Who has an amount, and when: "our rival spends up to 5,000 EUR", "the budget was 5,000 EUR".
const OWN = /^(?:we|weve|i|ive|im|wir|ich|uns|nous|on|je|j|nos|.{3,}mos)$/
const PAST =
  /^(?:last|was|were|had|spent|letzte[ns]|vorige[ns]|war|waren|hatten?|derniere?|etait|avions|avait|pasad[oa]|era|fue|teniamos)$/
const articles = wordSet("the a an der die das den dem ein eine einen la le les l un une el los las una")
const inPlaces = wordSet("in im en au aux für for pour para across within throughout dans nach vers hacia")

/** Whether the amount after these words is somebody else's, or was one: "our rival spends up to 5,000 EUR", "the budget was 5,000 EUR". */
function isOthers({ from, to }: Range, { tokens, kindAt, roleAt, isFamiliar }: Words): boolean {
  let [isTold, isOwn, hasStranger] = [false, false, false]
  for (let at = from; at < to; at++) {
    const { word, raw } = tokens[at] as Token
    const role = roleAt(at)
    if (PAST.test(word)) return true
    isTold ||= role === "told" || role === "you" || (role === "our" && at === from)
    // "Our budget" and "our client".
    isOwn ||= OWN.test(word) || (role === "plain" && roleAt(at - 1) === "our")
    const isNoun = role === undefined && (kindAt(at) === "word" || kindAt(at) === "common")
    hasStranger ||= isNoun && (isCapital(raw) || !isFamiliar(at))
  }
  return isTold && hasStranger && !isOwn
}

/** What a clause says of its things. `isRead` tells the words of which that is known already. */
export function weigh(clause: Clause, words: Words, isRead: (at: number) => boolean): Weighed {
  const { from, to } = clause
  const wordAt = (at: number) => words.tokens[at]?.word ?? ""
  const [things, doubtful, others]: [number[], number[], number[]] = [[], [], []]
  let [isTold, isWish, hasKnown, hasUnknown, isBack] = [false, false, false, false, false]
  // Of the part behind the last word of wishing.
  let [part, isStrange, free]: [number[], boolean, number] = [[], false, 0]
  // The last word with a meaning of its own, and the last country.
  let [last, country]: [What | undefined, number] = [undefined, -1]
  const endPart = () => {
    if (isStrange) doubtful.push(...part)
    ;[part, isStrange, free] = [[], false, 0]
  }
  /** What stands behind a comparison is what is wanted less; without a word of preferring that may be what is before it. */
  const compare = (at: number, before: string) => {
    const isPlain = COMPARING.test(before)
    if (things.length === 0 || !(isPlain || PREFERRING.test(before))) return
    const isRather = words.tokens.slice(from, at).some(({ word }) => RATHER.test(word))
    if (isRather) doubtful.push(at)
    else if (isPlain && things.some((each) => words.kindAt(each) === words.kindAt(at))) doubtful.push(at, ...things)
  }
  const take = (at: number) => {
    const next = at - 1 > from && articles.has(wordAt(at - 1)) && !PREFERRING.test(wordAt(at - 1)) ? at - 2 : at - 1
    const before = next >= from ? wordAt(next) : ""
    compare(at, before)
    things.push(at)
    free = 0
    const isChannel = words.kindAt(at) === "channel"
    // But not in "out of home".
    const isAway = [next, next - 1].some(
      (each) => each >= from && words.kindAt(each) !== "channel" && words.roleAt(each) === "from",
    )
    if (isAway) doubtful.push(at)
    // "Our rival sponsors podcasts, and good luck to them": said before anything is wished for.
    if (isTold && !isWish && isChannel) doubtful.push(at)
    if (isChannel) part.push(at)
    // A country is doubtful only right beside a word that nobody knows, and not in "in Austria".
    else if (!inPlaces.has(before)) {
      if (last === "unknown" && isStrange) doubtful.push(at)
      country = at
    }
  }
  for (let at = from; at < to; at++) {
    if (isRead(at)) continue
    const what = whatIs(at, clause, words)
    // "Radio, that bores me", "la presse, très peu pour nous".
    isBack ||= pronouns.has(wordAt(at)) || (what === "told" && free > 0)
    if (what === "thing") take(at)
    else if (what === "wish") endPart()
    else if (what === "beside") free = BESIDE_WORDS
    else if (what === "our" || (what === "some" && things.at(-1) !== at - 1)) free = Math.max(free, SOME_WORDS)
    else if (PEOPLE.test(wordAt(at)) && things.length === 0 && !isTold && !isWish) [hasKnown, isStrange] = [true, false]
    else if (what === "unknown") {
      hasUnknown = true
      // No verb ends so after "to": "email to choirs".
      const isPlural = wordAt(at - 1) === "to" && /[^s]s$/.test(wordAt(at))
      if (free > 0) free--
      else if (!isPlural) {
        isStrange = true
        if (last === "thing" && country === things.at(-1)) doubtful.push(country)
      }
    }
    const isLimit = words.isLimit(at)
    if (isLimit && isOthers({ from, to: at }, words)) others.push(at)
    isWish ||= what === "wish" || what === "ask" || (isLimit && others.length === 0)
    isTold ||= what === "told" || (what === "our" && at === from)
    hasKnown ||= what === "known" || what === "thing"
    if (/thing|wish|known/.test(what)) last = what
  }
  endPart()
  const isAsked = clause.after === "question"
  const isLinked = isAsked || clause.before !== "comma"
  return {
    // "What else is there in Austria?"
    doubtful: isTold && !isWish ? things.filter((at) => !isAsked || words.kindAt(at) === "channel") : doubtful,
    isBare: !(isTold || isWish) || isAsked,
    isTold: isTold && !isWish,
    others,
    isRemark: !isWish && !hasKnown && (isBack || ((hasUnknown || isTold) && isLinked)),
  }
}
