import { randomBytes } from "node:crypto"
import { SQL } from "bun"
import { fingerprintOf, mint, prefixOf } from "../../src/domain/keys/api-key.ts"
import { SELLER } from "./lines.ts"

/** Ingest keys of the seller, straight into the tables: a process for each would take minutes. */
export async function seedIngestKeys(url: string, count: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, () => mint("ingest", (length) => randomBytes(length)))
  await using client = new SQL(url, { max: 1 })
  for (const [place, secret] of secrets.entries()) {
    await client`INSERT INTO ingest_key (id, organization_id, label, prefix, fingerprint, created_at)
      SELECT ${`bench-${place}`}, id, ${`bench ${place}`}, ${prefixOf(secret)}, ${fingerprintOf(secret)}, 0
      FROM organization WHERE slug = ${SELLER}`
  }
  return secrets
}
