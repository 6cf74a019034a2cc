import { nameProblem } from "../people/person.ts"

/** An organization that a seller knows, because it has sold to it. */
export interface KnownBuyer {
  readonly id: number
  readonly name: string
}

export type BuyerChoice =
  | { readonly buyerId: number }
  | { readonly newName: string }
  | { readonly error: string }
  /** What to ask before the name is added as a new buyer. */
  | { readonly question: string }

/**
 * The buyer that a name means: the known one that is called exactly so, apart from capital letters and spaces, or else a new one. If a
 * known buyer is called much alike, somebody has to say that it's another company. Likeness alone never chooses.
 */
export function chooseBuyer(typed: string, known: readonly KnownBuyer[], confirmed: string | undefined): BuyerChoice {
  const problem = nameProblem(typed)
  if (problem !== undefined) return { error: "Enter the name of the buyer." }
  const [named, another] = known.filter(({ name }) => plain(name) === plain(typed))
  if (another !== undefined) return { error: "Several buyers have this name. Ask the operator to rename one of them." }
  if (named !== undefined) return { buyerId: named.id }
  const question = likenessQuestion(typed, known)
  return question === null || question === confirmed ? { newName: typed.trim() } : { question }
}

const LIKE_MAX = 3

function likenessQuestion(typed: string, known: readonly KnownBuyer[]): string | null {
  const like = known.filter(({ name }) => isAlike(wordsOf(name), wordsOf(typed))).slice(0, LIKE_MAX)
  if (like.length === 0) return null
  const names = like.map(({ name }) => `“${name}”`).join(", ")
  return `You already sell to ${names}. Enter that name if it’s the same company.`
}

const plain = (name: string): string => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase()

const LEGAL_FORMS = new Set(
  (
    "ab ag as aps asa bv co corp cv ek eg ev gbr gmbh inc incorporated kg kgaa kk llc llp limited ltd mbh nv ohg oy oyj " +
    "plc pte pty sa sagl sarl sas se sl slu spa srl the ug und and"
  ).split(" "),
)

/** The words of a name without legal forms: "Fernweh Travel, GmbH & Co. KG" is "fernweh travel". */
function wordsOf(name: string): string[] {
  const bare = plain(name).normalize("NFKD").replace(/\p{M}/gu, "").replaceAll(".", "")
  const words: string[] = bare.match(/[\p{L}\p{N}]+/gu) ?? []
  const own = words.filter((word) => !LEGAL_FORMS.has(word))
  return own.length === 0 ? words : own
}

/** Whether one of the two names has all words of the other. */
function isAlike(a: readonly string[], b: readonly string[]): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  return shorter.length > 0 && shorter.every((word) => longer.includes(word))
}
