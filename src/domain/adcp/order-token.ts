import { createHmac } from "node:crypto"

// An order link names the key and the product, so that listing products writes nothing. A link reveals nothing and
// can't be guessed, because both parts depend on a secret of this server.

const KEY_CHARACTERS = 8
const PRODUCT_CHARACTERS = 16

/** Names a product for a key: eight characters for the key, sixteen for the product. */
export const orderToken = (secret: string, buyerKeyId: string, productId: string): string =>
  keyPartOf(secret, buyerKeyId) + productPartOf(secret, buyerKeyId, productId)

/** Whether a token names this key. */
export const isTokenOfKey = (secret: string, token: string, buyerKeyId: string): boolean =>
  token.startsWith(keyPartOf(secret, buyerKeyId))

const keyPartOf = (secret: string, buyerKeyId: string): string => mac(secret, ["key", buyerKeyId], KEY_CHARACTERS)

const productPartOf = (secret: string, buyerKeyId: string, productId: string): string =>
  mac(secret, ["product", buyerKeyId, productId], PRODUCT_CHARACTERS)

const mac = (secret: string, parts: readonly string[], characters: number): string =>
  createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url").slice(0, characters)
