import { hash } from "node:crypto"

/** What is kept of a session, one-time or share token: enough to know it again, useless to whoever reads the database. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex")
}
