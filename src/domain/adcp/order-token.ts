import { createHmac } from "node:crypto"

// An order link names the key and the product, so that listing products writes nothing. A link reveals nothing and
// can't be guessed, because both parts depend on a secret of this server.

const KEY_CHARACTERS = 8
const PRODUCT_CHARACTERS = 16

/** What the server knows of a link: the key, and which of its products. */
interface OrderTokenParts {
  readonly keyPart: string
  readonly productPart: string
}

/** Names a product for a key: eight characters for the key, sixteen for the product. */
export const orderToken = (secret: string, buyerKeyId: string, productId: string): string =>
  keyPartOf(secret, buyerKeyId) + productPartOf(secret, buyerKeyId, productId)

/** The parts of a token. Null if it can't be one. */
export function readOrderToken(token: string): OrderTokenParts | null {
  if (!/^[\w-]{24}$/.test(token)) return null
  return { keyPart: token.slice(0, KEY_CHARACTERS), productPart: token.slice(KEY_CHARACTERS) }
}

/** Finds the key of a token among the active keys. */
export const keyOfToken = <Key extends { readonly id: string }>(
  secret: string,
  { keyPart }: OrderTokenParts,
  keys: readonly Key[],
): Key | null => keys.find(({ id }) => keyPartOf(secret, id) === keyPart) ?? null

/** Finds the product of a token among those that are shown to its key. */
export const productOfToken = (
  secret: string,
  { productPart }: OrderTokenParts,
  buyerKeyId: string,
  productIds: readonly string[],
): string | null => productIds.find((id) => productPartOf(secret, buyerKeyId, id) === productPart) ?? null

const keyPartOf = (secret: string, buyerKeyId: string): string => mac(secret, ["key", buyerKeyId], KEY_CHARACTERS)

const productPartOf = (secret: string, buyerKeyId: string, productId: string): string =>
  mac(secret, ["product", buyerKeyId, productId], PRODUCT_CHARACTERS)

const mac = (secret: string, parts: readonly string[], characters: number): string =>
  createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url").slice(0, characters)
