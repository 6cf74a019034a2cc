import { slugFrom } from "../people/organization.ts"
import { freeName } from "../text.ts"

/** The fields of a campaign that people edit, as typed. The buyer is a name. */
export interface CampaignTexts {
  readonly name: string
  readonly buyer: string
}

/** A digest of what a form shows. If it differs from the stored one, another person has changed the campaign. */
export const campaignVersion = ({ name, buyer }: CampaignTexts): string =>
  Bun.hash(JSON.stringify([name, buyer])).toString(36)

/** A slug for a campaign: from its name, with a number if the seller has another campaign with that slug. */
export const freeSlug = (name: string, taken: ReadonlySet<string>): string =>
  freeName(slugFrom(name) || "campaign", taken, "-")

const SUFFIX_CHARACTERS = 6

/**
 * A slug for a new buyer. It always ends in random characters, because a number would reveal that another seller has
 * this buyer.
 */
export const buyerSlug = (name: string): string =>
  `${slugFrom(name).slice(0, 50) || "buyer"}-${crypto.randomUUID().slice(0, SUFFIX_CHARACTERS)}`

/** A company that a seller may choose as the buyer of a campaign. */
export interface Company {
  readonly id: number
  readonly slug: string
  readonly name: string
}

/** An existing company, or the name of a new one. */
export type BuyerChoice = { readonly id: number } | { readonly newName: string }

type ChosenBuyer =
  | { readonly choice: BuyerChoice }
  | { readonly error: string }
  /** Asked before a new company is created. */
  | { readonly question: string; readonly choice: BuyerChoice }

/**
 * Finds the buyer that a seller typed, by name or slug, or makes a new one. A similar name is never chosen
 * automatically. If a known company has one, a person decides.
 */
export function chooseBuyer(typed: string, known: readonly Company[], seller: Company): ChosenBuyer {
  if (isCalled(seller, typed)) return { error: "This is your own organization. Enter the buyer." }
  const called = known.filter((company) => isCalled(company, typed))
  const exact = called.find(({ slug }) => slug === typed)
  if (exact === undefined && called.length > 1)
    return { error: `Several buyers have this name. Enter the slug: ${called.map(({ slug }) => slug).join(" or ")}.` }
  const [meant = exact] = called
  if (meant !== undefined) return { choice: { id: exact?.id ?? meant.id } }
  const similar = similarTo(typed, known)
  const choice = { newName: typed }
  if (similar.length === 0) return { choice }
  const names = similar.map(({ name }) => name).join(", ")
  return { choice, question: `Do you mean ${names}, or is ${typed} another company?` }
}

/** Whether a company has this name or slug. Case and spaces don't matter. */
export const isCalled = ({ slug, name }: Company, typed: string): boolean =>
  plain(name) === plain(typed) || slug === typed

const plain = (name: string) => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase()

const LEGAL_FORMS = new Set(
  (
    "ab ag as aps asa bv co corp cv ek eg ev gbr gmbh inc incorporated kg kgaa kk llc llp limited ltd mbh nv ohg oy oyj " +
    "plc pte pty sa sagl sarl sas se sl slu spa srl ug"
  ).split(" "),
)

const SIMILAR_MAX = 3

/** Companies with similar names, to suggest. They are never chosen automatically. */
export function similarTo(name: string, known: readonly Company[]): readonly Company[] {
  const words = wordsOf(name)
  return known.filter((company) => beginsAlike(words, wordsOf(company.name))).slice(0, SIMILAR_MAX)
}

/** The words of a name without legal forms: "Fernweh Travel, GmbH & Co. KG" is "fernweh travel". */
function wordsOf(name: string): string[] {
  // "e.V." and "S.p.A." are words as well.
  const words: string[] =
    plain(name)
      .replaceAll(".", "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const own = words.filter((word) => !LEGAL_FORMS.has(word))
  return own.length === 0 ? words : own
}

/** Whether the shorter name is the beginning of the longer one, or both have the same words in another order. */
function beginsAlike(a: readonly string[], b: readonly string[]): boolean {
  const shorter = Math.min(a.length, b.length)
  if (shorter === 0) return false
  const isBeginning = a.slice(0, shorter).join() === b.slice(0, shorter).join()
  return isBeginning || a.toSorted().join() === b.toSorted().join() || a.join("") === b.join("")
}
