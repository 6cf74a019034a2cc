import type { ReadTx } from "../database.ts"

/** An order that nobody has answered yet. */
export interface AskedOrder {
  readonly id: string
  readonly productName: string
  /** The organization that sells the product. Null if the operator decides. */
  readonly slug: string | null
}

/** The orders that wait for an answer, oldest first. */
export async function askedOrders(read: ReadTx): Promise<AskedOrder[]> {
  const rows = await read.rows(ASKED_ORDERS, [], {
    id: String,
    product: (value) => JSON.parse(String(value)) as { readonly name?: string },
    slug: (value) => (value === null ? null : String(value)),
  })
  return rows.map(({ id, product, slug }) => ({ id, slug, productName: product.name ?? "a product" }))
}

const ASKED_ORDERS = `SELECT sale_order.id, product, slug FROM sale_order
    LEFT JOIN organization ON organization.id = seller_id
  WHERE state = 'asked' ORDER BY asked_at`
