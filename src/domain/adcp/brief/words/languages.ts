import { memoize } from "../../../memoize.ts"
import { fold, isDigits, wordSet as set, type Token } from "./tokens.ts"

/** The languages that briefs are read in. In others they are only searched. */
export const languages = ["en", "de", "fr", "es"] as const
export type Language = (typeof languages)[number]

const functionWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: set(`the a an and or but of to in on at for from with without by as is are was were be been being it its this that these those we us our you your they
    them their he she his her i me my who whom which what when where why how if then than so not no nor neither any all some more most other such only also just very too
    do does did have has had will would can could should may might must about into over under up out off between during before after while there here yes please hi hello
    thanks thank dear regards don dont doesnt isnt arent wont cant id ill ive youre let lets get got make need want like looking rather each every both per via s t`),
  de: set(`der die das den dem des ein eine einen einem einer eines und oder aber von zu zum zur in im am an auf aus bei mit ohne nach vor über unter für um durch gegen seit
    ist sind war waren sein wird werden wurde hat haben hatte kann können soll sollen muss müssen darf will wollen möchte möchten würden wir uns unser unsere unserem unseren
    unserer sie ihr ihre ihren ihrem ihrer ich mich mir mein meine du er es man sich nicht kein keine keinen keinem keiner auch nur noch schon sehr so wie was wer wo wann warum
    wenn dass ob als dann da doch mal gern gerne bitte danke hallo liebe lieber lieben grüße moin guten tag ja nein etwas irgendwas alles alle diese dieser dieses diesem jede
    jeder hier dort bis ab bzw also denn weil sondern statt etwa rund circa ca mehr weniger brauchen brauche suchen sucht suche haette hatten gibt geht`),
  fr: set(`le la les l un une des de du d au aux et ou mais à en dans sur sous pour par avec sans chez vers entre ce cet cette ces c ça cela il elle ils elles on nous vous je
    j tu me m te se s son sa ses leur leurs notre nos votre vos mon ma mes qui que qu quoi dont quand comment pourquoi si ne n pas plus non oui est sont était être sera ont
    avons avez ai as avait peut pouvons faut doit doivent fait faire très aussi bien même tout tous toute toutes autre autres ni rien jamais donc car comme plutôt bonjour bonsoir
    merci cordialement svp y cherchons cherche voulons souhaitons souhaite aimerions serait`),
  es: set(`el la los las un una unos unas de del al y e o u a en con sin por para sobre entre hasta desde hacia ante según que quien cual como cuando donde porque
    si no ni es son era ser está están estar hay ha han hemos he tiene tenemos tienen tenéis puede podemos debe queremos quiere quiero nos nosotros os su sus mi mis tu tus se
    le les lo me te muy más menos también ya todo toda todos todas otro otra otros otras algo nada alguno este estos estas ese esa eso pero sino pues hola gracias saludos
    buenos días buenas favor somos nuestro nuestra nuestros nuestras buscamos busco gustaría necesitamos solo tipo posible`),
}

// Enough of other languages to know that a brief is in none of the four.
const foreignWords =
  set(`het een van voor niet geen met naar wij onze zijn ook maar bij graag zonder deze dit wordt kunnen hebben willen och för inte inga ingen med till utan vill eller som
    att ett är på av den vi har ikke uden og til en et er af vil gjerne gerne ei ja ilman meille haluamme että mutta myös on ovat sekä kanssa il lo gli
    che non per senza della delle dei del nel con una sono anche più vorremmo niente ma um uma não sem para com em os dos das nos são também mas queremos mais nie bez dla oraz jest
    chcemy w z na do się reklama kampania za pe si cu fara nu pentru este sau ve ile için değil istiyoruz bir nem és vagy egy hogy`)

const letters: Readonly<Record<Language, RegExp>> = { en: /(?!)/, de: /[äöüß]/i, fr: /[çœèêàùîôû]/i, es: /[ñ¿¡áíóú]/i }
const ANY_LATIN = /\p{Script=Latin}/u
const WORDS_READ = 150
const VOTES_REMEMBERED = 20_000
const LETTER_POINTS = 0.5
const LEAST_POINTS = 1.3
const LEAST_LEAD = 1.2

const anyFunctionWord = new Set(languages.flatMap((language) => [...functionWords[language]]))

/** Words without a meaning of their own, in one language, or in any of the four. */
export const isFunctionWord = (word: string, language?: Language): boolean =>
  language === undefined ? anyFunctionWord.has(word) : functionWords[language].has(word)

// For each language, for all others, and for other letters.
const noVotes = (): number[] => Array.from({ length: languages.length + 2 }, () => 0)
const NOTHING: readonly number[] = noVotes()

/** What a word tells of each language, of all others, and last whether it is in other letters. */
const votesOf = memoize(VOTES_REMEMBERED, (raw: string): readonly number[] => {
  // "A", "o." and "u." are short for anything, and "SE" and "NO" are codes.
  if (/^(?:\d|[aeou]$)/i.test(raw) || /^[A-Z]{2,3}$/.test(raw)) return NOTHING
  const word = fold(raw)
  const votes = languages.map((language) => {
    const said = functionWords[language].has(word) ? 1 : 0
    return said + (letters[language].test(raw) ? LETTER_POINTS : 0)
  })
  return [...votes, foreignWords.has(word) ? 1 : 0, ANY_LATIN.test(raw) ? 0 : 1]
})

/** The language of some words: undefined where it is not certain, "other" where it is none that is read. */
export function languageOf(tokens: readonly Token[]): Language | "other" | undefined {
  const points = noVotes()
  const seen = new Set<string>()
  for (let at = 0; at < tokens.length && at < WORDS_READ; at++) {
    const { word, raw } = tokens[at] as Token
    const votes = isDigits(raw) ? NOTHING : votesOf(raw)
    if (votes === NOTHING || seen.has(word)) continue
    seen.add(word)
    for (let nth = 0; nth < points.length; nth++) points[nth] = (points[nth] as number) + (votes[nth] as number)
  }
  const strange = points.pop() ?? 0
  if (strange > seen.size / 2) return "other"
  const [second = 0, most = 0] = points.toSorted((a, b) => a - b).slice(-2)
  if (most < LEAST_POINTS || most < second * LEAST_LEAD) return undefined
  return languages[points.indexOf(most)] ?? "other"
}
