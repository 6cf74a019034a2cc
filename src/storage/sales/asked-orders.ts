import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx } from "../database.ts"

/** An order that isn't answered yet. */
export interface AskedOrder {
  readonly id: string
  readonly productName: string
  /** The organization that sells the product. Null if the operator decides. */
  readonly slug: string | null
}

/** The unanswered orders since a moment, oldest first. Earlier orders have expired. */
export async function askedOrders(read: ReadTx, since: Moment): Promise<AskedOrder[]> {
  const rows = await read.rows(ASKED_ORDERS, [since], {
    id: String,
    product: (value) => JSON.parse(String(value)) as { readonly name?: string },
    slug: (value) => (value === null ? null : String(value)),
  })
  return rows.map(({ id, product, slug }) => ({ id, slug, productName: product.name ?? "a product" }))
}

const ASKED_ORDERS = `SELECT sale_order.id, product, slug FROM sale_order
    LEFT JOIN organization ON organization.id = seller_id
  WHERE state = 'asked' AND asked_at > $1 ORDER BY asked_at`
