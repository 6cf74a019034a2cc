import { nameErrors } from "../people/organization.ts"
import { withoutMarks } from "../text/short-text.ts"

export type Company = Readonly<{ slug: string; name: string }>

/** An existing buyer, or a new one to create with the campaign. */
export type BuyerChoice = { readonly slug: string } | { readonly newName: string }

/** The buyer from a form: the name of a known one, or of a new one, which is confirmed by its name where a known one is called much like it. */
export type TypedBuyer = Readonly<{ buyer: string; newBuyer?: string }>

type BuyerErrors = Readonly<{ buyer?: string; newBuyer?: string }>
type BuyerCheck =
  | { readonly ok: true; readonly choice: BuyerChoice }
  | { readonly ok: false; readonly errors: BuyerErrors }

/**
 * Finds the buyer by name or slug, or makes one of that name. Only organizations in `known` are found, because a seller must not learn
 * who else uses the installation. Of several with the same name the `current` buyer is meant; else somebody is asked.
 */
export function chooseBuyer(
  { buyer, newBuyer }: TypedBuyer,
  companies: readonly Company[],
  seller: Company,
  current: Company | null = null,
): BuyerCheck {
  const unnamed = nameErrors("buyer", buyer, "Give the buyer a name")
  if (unnamed.buyer !== undefined) return wrong(unnamed.buyer)
  if (isCalled(seller, buyer)) return wrong("This is your own organization. Enter the buyer.")
  if (current !== null && isCalled(current, buyer)) return { ok: true, choice: { slug: current.slug } }
  const named = companies.filter((company) => isCalled(company, buyer))
  const exact = named.find(({ slug }) => slug === buyer) ?? named[0]
  if (exact === undefined) {
    const similar = similarTo(buyer, companies)
    if (similar.length === 0 || newBuyer === buyer) return { ok: true, choice: { newName: buyer } }
    const names = similar.map(({ name }) => name).join(", ")
    const isNew = `Or is “${buyer}” another company? Then add it as a new buyer.`
    return { ok: false, errors: { buyer: `Do you mean ${names}? Then enter that name.`, newBuyer: isNew } }
  }
  if (named.length > 1 && exact.slug !== buyer)
    return wrong(`Several buyers have this name. Enter the short name: ${named.map(({ slug }) => slug).join(" or ")}.`)
  return { ok: true, choice: { slug: exact.slug } }
}

/** What a form says while a name is typed: who is meant, or that somebody new is. Nothing where a known buyer is meant. */
export function newBuyerText(buyer: string, companies: readonly Company[]): string {
  if (buyer === "" || companies.some((company) => isCalled(company, buyer))) return ""
  const similar = similarTo(buyer, companies).map(({ name }) => name)
  const isNew = `“${buyer}” is a new buyer and will be added.`
  return similar.length === 0 ? isNew : `${isNew} Similar: ${similar.join(", ")}.`
}

const wrong = (message: string): BuyerCheck => ({ ok: false, errors: { buyer: message } })

/** The company of this name; undefined where none or several have it. */
export function buyerCalled(name: string, companies: readonly Company[]): Company | undefined {
  const named = companies.filter((company) => isCalled(company, name))
  return named.length === 1 ? named[0] : undefined
}

const isCalled = ({ slug, name }: Company, typed: string) => sameName(name, typed) || sameName(slug, typed)

const plain = (name: string) => withoutMarks(name).normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase()
const sameName = (a: string, b: string): boolean => plain(a) === plain(b)

const LEGAL_FORMS = new Set(
  "ab ag as aps asa bv co corp cv ek eg ev gbr gmbh inc incorporated kg kgaa kk llc llp limited ltd mbh nv ohg oy oyj plc pte pty sa sagl sarl sas se sl slu spa srl ug".split(
    " ",
  ),
)

/** The words of a name in lower case, without legal forms: "Fernweh Travel, GmbH & Co. KG" is "fernweh travel". */
function wordsOf(name: string): string[] {
  // "e.V." and "S.p.A." are words, too.
  const words = (
    plain(name)
      .replaceAll(".", "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).map(String)
  const own = words.filter((word) => !LEGAL_FORMS.has(word))
  return own.length === 0 ? words : own
}

/** Whether two names are of the same company: the same up to case, marks and legal form. */
export function isSameCompany(a: string, b: string): boolean {
  const words = wordsOf(a).join(" ")
  return words !== "" && words === wordsOf(b).join(" ")
}

const SIMILAR_MAX = 3

/** Known companies that may be meant by a name that none of them has: only to be offered, never chosen. */
export function similarTo(name: string, companies: readonly Company[]): Company[] {
  const typed = wordsOf(name)
  return companies.filter((company) => isSimilar(typed, wordsOf(company.name))).slice(0, SIMILAR_MAX)
}

/** The same words, one name that begins with the other, or a typing error or two. */
function isSimilar(a: readonly string[], b: readonly string[]): boolean {
  const [x, y] = [a.join(""), b.join("")]
  if (x === "" || y === "") return false
  const shorter = Math.min(a.length, b.length)
  if (a.slice(0, shorter).join(" ") === b.slice(0, shorter).join(" ")) return true
  const errors = Math.min(x.length, y.length) >= LONG_NAME ? 2 : 1
  return Math.min(x.length, y.length) >= SHORT_NAME && distance(x, y, errors) <= errors
}

// Of three letters every other name is one error away.
const SHORT_NAME = 4
const LONG_NAME = 8

/** How many letters were added, left out, changed or swapped with the next; more than `most` is only more. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let twoBefore: number[] = []
  let before = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (before[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (before[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (twoBefore[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    twoBefore = before
    before = row
  }
  return before[b.length] ?? 0
}
