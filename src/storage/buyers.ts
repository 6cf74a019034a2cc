import type { KnownBuyer } from "../domain/campaign/buyer.ts"
import type { ReadTx } from "./database.ts"

const COLUMNS = { id: Number, name: String }

/** The organizations that a seller sells to, or has sold to, by name. */
export function buyersOf(read: ReadTx, sellerId: number): Promise<KnownBuyer[]> {
  const query = `SELECT DISTINCT buyer.id, buyer.name FROM organization AS buyer
      JOIN campaign ON buyer_id = buyer.id
      LEFT JOIN line ON campaign_id = campaign.id
    WHERE (owner_id = $1 OR seller_id = $1) AND buyer.id <> $1 ORDER BY buyer.name, buyer.id`
  return read.rows(query, [sellerId], COLUMNS)
}

/** Every organization but the seller, by name. Only the operator may know them all. */
export const allBuyers = (read: ReadTx, sellerId: number): Promise<KnownBuyer[]> =>
  read.rows("SELECT id, name FROM organization WHERE id <> $1 ORDER BY name, id", [sellerId], COLUMNS)

/** Whether a line of the campaign is in a statement, whose buyer must stay what it was. */
export async function hasStatements(read: ReadTx, campaignId: number): Promise<boolean> {
  const query = `SELECT line_id AS id FROM statement_line JOIN line ON line.id = line_id WHERE campaign_id = $1 LIMIT 1`
  return (await read.rows(query, [campaignId], { id: Number })).length > 0
}
