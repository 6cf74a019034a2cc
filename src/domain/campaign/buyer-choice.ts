import { nameErrors } from "../people/organization.ts"
import { withoutMarks } from "../text/short-text.ts"

export type Company = Readonly<{ slug: string; name: string }>

/** An existing buyer, or a new one to create with the campaign. */
export type BuyerChoice = { readonly slug: string } | { readonly newName: string }

/** The buyer from a form: the name of a known one, or of a new one. */
export type TypedBuyer = Readonly<{ buyer: string }>

type BuyerCheck =
  | { readonly ok: true; readonly choice: BuyerChoice }
  | { readonly ok: false; readonly errors: Readonly<Partial<Record<keyof TypedBuyer, string>>> }

/**
 * Finds the buyer by name or slug, or makes one of that name. Only organizations in `known` are found, because a seller must not learn
 * who else uses the installation. Of several with the same name the `current` buyer is meant; else somebody is asked.
 */
export function chooseBuyer(
  { buyer }: TypedBuyer,
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
  if (exact === undefined) return { ok: true, choice: { newName: buyer } }
  if (named.length > 1 && exact.slug !== buyer)
    return wrong(`Several buyers have this name. Enter the short name: ${named.map(({ slug }) => slug).join(" or ")}.`)
  return { ok: true, choice: { slug: exact.slug } }
}

const wrong = (message: string): BuyerCheck => ({ ok: false, errors: { buyer: message } })

const isCalled = ({ slug, name }: Company, typed: string) => sameName(name, typed) || sameName(slug, typed)

function sameName(a: string, b: string): boolean {
  const plain = (name: string) => withoutMarks(name).normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase()
  return plain(a) === plain(b)
}
