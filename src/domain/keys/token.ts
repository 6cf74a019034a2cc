import { hash } from "node:crypto"

/** Only the hash of a session, one-time or share token is stored, which is useless to a reader of the database. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex")
}
