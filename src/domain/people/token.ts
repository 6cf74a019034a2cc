import { hash } from "node:crypto"

/** An unguessable text for a session or a link. */
export const createToken = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true })

/** All that is stored of a token, so that a copy of the database is not enough to sign in. */
export const hashToken = (token: string): string => hash("sha256", token, "hex")
