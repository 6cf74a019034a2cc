// A link to order is worked out from the key, the product and a secret of the installation, so that listing products writes nothing. It
// says nothing by itself. Its first letters tell which key it may be of, so that it is looked for among the products of one key only.

const KEY_LETTERS = 8
const PRODUCT_LETTERS = 16
const CODE_LETTERS = 22

// A link is looked for among all products of a key: this takes a quarter of the time of the one of node:crypto.
const mac = (secret: string, text: string, letters: number) =>
  new Bun.CryptoHasher("sha256", secret).update(text).digest("base64url").slice(0, letters)

/** The token of each product that a key sees. */
export function orderTokens(secret: string, agentKeyId: string): (productId: string) => string {
  const start = mac(secret, `key ${agentKeyId}`, KEY_LETTERS)
  const ofKey = mac(secret, `products of ${agentKeyId}`, CODE_LETTERS)
  return (productId) => start + mac(ofKey, productId, PRODUCT_LETTERS)
}

export const mayBeOfKey = (token: string, secret: string, agentKeyId: string): boolean =>
  token.length === KEY_LETTERS + PRODUCT_LETTERS && token.startsWith(mac(secret, `key ${agentKeyId}`, KEY_LETTERS))

/** What opens the page of an order, for the buyer who placed it. */
export const orderCode = (secret: string, orderId: string): string => mac(secret, `order ${orderId}`, CODE_LETTERS)
