import { changeOpenings, openingsVersion } from "../../../../actions/catalogue/products.ts"
import { readTerritories } from "../../../../domain/adcp/catalogue/territory.ts"
import { type KeyOpening, openingsOfProduct, type StoredProduct } from "../../../../storage/catalogue/catalogue.ts"
import { type BuyerKey, buyerKeys } from "../../../../storage/keys.ts"
import { goTo } from "../../../flash.ts"
import type { FormOf, Texts } from "../../../forms/form.ts"
import { page } from "../../../page.tsx"
import { ButtonLink, Empty } from "../../../parts/blocks.tsx"
import { Field } from "../../../parts/fields.tsx"
import { Form } from "../../../parts/form.tsx"
import { NotFound, type SignedInVisit } from "../../../visit.ts"
import { findStored } from "./product.tsx"
import { BUYER_KEYS, PRODUCTS, productAddress, productName, territoriesInWords } from "./words.ts"

interface ShownProduct {
  readonly stored: StoredProduct
  readonly openings: readonly KeyOpening[]
  readonly keys: readonly BuyerKey[]
}

const fieldOf = ({ id }: BuyerKey) => `key.${id}`

/** Which buyer keys see a product, and where. */
export const openingsForm: FormOf<SignedInVisit, ShownProduct> = {
  async find(visit) {
    const { read } = visit.context.database
    const stored = await findStored(visit)
    const active = (await buyerKeys(read)).filter(({ revokedAt }) => revokedAt === null)
    return { stored, openings: await openingsOfProduct(read, stored.id), keys: active }
  },
  begin: (_, { openings, keys }) => ({ texts: textsOf(openings, keys), version: openingsVersion(openings) }),
  view(visit, { stored, keys }, form) {
    const address = productAddress(stored.id)
    return page(visit, {
      title: `Who sees ${productName(stored)}`,
      trail: [
        { href: PRODUCTS, label: "Products" },
        { href: address, label: productName(stored) },
      ],
      intro: "Name the countries for each buyer key. Leave a field empty to hide the product from it.",
      form,
      body:
        keys.length === 0 ? (
          <Empty title="No buyer keys yet" text="Create one for each buyer’s agent. It decides which products it sees.">
            <ButtonLink kind="primary" href={`${BUYER_KEYS}#new-key`} label="New buyer key" />
          </Empty>
        ) : (
          <section class="card form-card">
            <Form action={`${address}/openings`} submit="Save" cancel={address} note="Agents see changes at once.">
              {keys.map((key) => (
                <Field name={fieldOf(key)} label={key.label} placeholder="Austria, DE" hint={COUNTRIES_HINT} />
              ))}
            </Form>
          </section>
        ),
    })
  },
  async save(visit, { stored, openings, keys }, texts, version) {
    const before = textsOf(openings, keys)
    const errors: Record<string, string> = {}
    const changes: { buyerKeyId: string; territories: readonly string[] }[] = []
    for (const key of keys) {
      const field = fieldOf(key)
      const text = texts[field] ?? before[field] ?? ""
      if (text === before[field]) continue
      const read = readTerritories(text)
      if ("error" in read) errors[field] = read.error
      else changes.push({ buyerKeyId: key.id, territories: read.codes })
    }
    if (Object.keys(errors).length > 0) return { errors }
    const saved = await changeOpenings(visit.context, visit.actor, stored.id, changes, version)
    if (saved === "not found") throw new NotFound()
    if (saved === "changed") return saved
    return goTo(visit, productAddress(stored.id), "Saved. Agents see it at once.")
  },
}

const COUNTRIES_HINT = "Countries by name or code, or Everywhere."

function textsOf(openings: readonly KeyOpening[], keys: readonly BuyerKey[]): Texts {
  const territories = new Map(openings.map((each) => [each.buyerKeyId, each.territories]))
  return Object.fromEntries(keys.map((key) => [fieldOf(key), territoriesInWords(territories.get(key.id) ?? [])]))
}
