import type { Reading } from "../../domain/adcp/brief/reading.ts"
import { territoriesInWords } from "../../domain/adcp/catalogue/territory.ts"
import { type AdcpAnswer, AdcpError, type Arguments, failed } from "../../domain/adcp/tools/answer.ts"
import { getProducts, selectProducts } from "../../domain/adcp/tools/get-products.ts"
import { hiddenReason, type Opening, type ProductView, type SeenProduct } from "../../domain/adcp/view.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { openingsOfKey, type StoredProduct, storedProducts } from "../../storage/catalogue/catalogue.ts"
import type { Context } from "../context.ts"
import { agentViews } from "./views.ts"

/** What a buyer's agent would get, and why other products are missing. */
export interface Preview {
  /** The whole answer of get_products, as the agent gives it. */
  readonly answer: AdcpAnswer
  /** What the agent says beside the products. */
  readonly message: string
  /** The products in the order of the answer, on all pages. Empty if the question is refused. */
  readonly products: readonly SeenProduct[]
  /** What the brief says. Null without one. */
  readonly reading: Reading | null
  readonly missing: readonly MissingProduct[]
}

export interface MissingProduct {
  readonly id: string
  readonly name: string
  /** One or two sentences. */
  readonly why: string
  /** Whether the product would appear if it were shown to the key, or shown in more countries. */
  readonly canShow: boolean
}

/** Asks get_products as this key would. Null is a caller without a key. */
export async function previewAnswer(context: Context, buyerKeyId: string | null, args: Arguments): Promise<Preview> {
  const { products: view } = await agentViews(context).of(buyerKeyId)
  const answer = answerOf(view, args)
  const message = String(answer.payload["message"])
  if (answer.outcome !== "completed") return { answer, message, products: [], reading: null, missing: [] }
  const selection = selectProducts(view, args)
  const { read } = context.database
  const openings = buyerKeyId === null ? [] : await openingsOfKey(read, buyerKeyId)
  const stored = await storedProducts(read)
  return {
    answer,
    message,
    products: selection.products,
    reading: selection.ranked?.reading ?? null,
    missing: missingProducts(view, selection.products, stored, openings, context.clock()),
  }
}

function answerOf(view: ProductView, args: Arguments): AdcpAnswer {
  try {
    return getProducts(view, args)
  } catch (cause) {
    if (cause instanceof AdcpError) return failed(cause, args)
    throw cause
  }
}

/** The products that the answer doesn't have, and why. */
function missingProducts(
  view: ProductView,
  answered: readonly SeenProduct[],
  stored: readonly StoredProduct[],
  openings: readonly Opening[],
  now: Moment,
): MissingProduct[] {
  const shown = new Set(answered.map(({ id }) => id))
  const seenById = new Map(view.products.map((seen) => [seen.id, seen]))
  const openingById = new Map(openings.map((opening) => [opening.productId, opening]))
  return stored
    .filter(({ id }) => !shown.has(id))
    .map(({ id, product }) => {
      const seen = seenById.get(id)
      // Pages ask with a brief and countries, and a brief leaves nothing out.
      if (seen !== undefined)
        return { id, name: product.name, why: `Shown in ${territoriesInWords(seen.territories)} only.`, canShow: true }
      const opening = openingById.get(id)
      const why = hiddenReason(product, opening, now) ?? NOT_VALID
      return { id, name: product.name, why, canShow: opening === undefined }
    })
}

const NOT_VALID = "The stored product isn’t valid. Open it and save it to see why."
