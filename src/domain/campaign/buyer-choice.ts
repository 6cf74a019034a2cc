import { Name } from "../people/organization.ts"
import { checkFor } from "../schema/check.ts"

/** The editable fields of a campaign, for its revision. */
export const campaignFields = (name: string, buyerSlug: string) => ({ name, buyer: buyerSlug })

export interface Company {
  readonly slug: string
  readonly name: string
}

/** An existing buyer, or a new one to create with the campaign. */
export type BuyerChoice = { readonly slug: string } | { readonly newName: string }

/** The buyer from a form: chosen from a list, or typed as a new name, or both. */
export interface TypedBuyer {
  readonly buyer: string
  readonly newBuyer: string
}

type BuyerCheck =
  | { readonly ok: true; readonly choice: BuyerChoice }
  | { readonly ok: false; readonly errors: Readonly<Partial<Record<keyof TypedBuyer, string>>> }

const isName = checkFor(Name)

/**
 * Resolves the buyer. The buyer sees the figures, so contradictions are refused, not guessed. Only organizations in `known` are
 * named, because a seller must not learn who else uses the installation.
 */
export function chooseBuyer({ buyer, newBuyer }: TypedBuyer, known: readonly Company[], seller: Company): BuyerCheck {
  if (buyer === "" && newBuyer === "")
    return wrong(known.length > 0 ? "buyer" : "newBuyer", "Choose a buyer, or name a new one.")
  const chosen = known.find(({ slug }) => slug === buyer)
  if (buyer !== "" && chosen === undefined) return wrong("buyer", "This buyer is not one of yours. Choose another.")
  if (chosen !== undefined && newBuyer !== "") {
    return wrong(
      "newBuyer",
      `You chose ${chosen.name} and also typed a name. Leave this empty, or choose no buyer above.`,
    )
  }
  if (chosen !== undefined) return { ok: true, choice: { slug: chosen.slug } }
  if (!isName(newBuyer).ok) return wrong("newBuyer", "Give the buyer a name of at most 200 characters.")
  if (isCalled(seller, newBuyer)) return wrong("newBuyer", "This is your own organization. Name the one that buys.")
  const same = known.find((one) => isCalled(one, newBuyer))
  if (same === undefined) return { ok: true, choice: { newName: newBuyer } }
  return wrong(
    "newBuyer",
    `There is already a buyer named ${same.name}. Choose it above, or give the new one another name.`,
  )
}

const wrong = (field: keyof TypedBuyer, message: string): BuyerCheck => ({ ok: false, errors: { [field]: message } })

const isCalled = ({ slug, name }: Company, typed: string) => sameName(name, typed) || sameName(slug, typed)

/** Whether two names look the same to people. */
function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase()
  return plain(one) === plain(other)
}
