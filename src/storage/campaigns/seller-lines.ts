import type { ReadTx } from "../database.ts"
import { linesWhere, type StoredLine } from "./lines.ts"

export type SellerLine = StoredLine

interface WhichLines {
  /** Also the lines that were archived, by themselves or with their campaign. */
  readonly withArchived?: boolean
}

const NOT_ARCHIVED = "line.archived = 0 AND campaign.archived = 0"

/** Every line that the organization sells, by campaign. */
export const linesSoldBy = (read: ReadTx, sellerId: number, { withArchived = false }: WhichLines = {}) =>
  linesWhere(read, withArchived ? "line.seller_id = $1" : `line.seller_id = $1 AND ${NOT_ARCHIVED}`, [sellerId])

/** Every line that the organization buys, by campaign. */
export const linesBoughtBy = (read: ReadTx, buyerId: number, { withArchived = false }: WhichLines = {}) =>
  linesWhere(read, withArchived ? "campaign.buyer_id = $1" : `campaign.buyer_id = $1 AND ${NOT_ARCHIVED}`, [buyerId])

/** Every line that one organization sells to another, archived or not, by campaign. */
export const linesSoldTo = (read: ReadTx, sellerId: number, buyerId: number): Promise<StoredLine[]> =>
  linesWhere(read, "line.seller_id = $1 AND campaign.buyer_id = $2", [sellerId, buyerId])
