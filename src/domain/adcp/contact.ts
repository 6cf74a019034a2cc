/** The sentences with the operator's contact. Where nobody named one, they say whose address this is. */
export function contactWords(named: string | null, agentUrl: string, takesOrders = false) {
  const contact = named ?? `the operator of ${new URL(agentUrl).host}`
  return {
    contact,
    /** Said to callers without a key. */
    needsKey: `Products are shown only to callers with a buyer's key: ask ${contact} for one.`,
    /** How to order, since no tool does it. */
    orders: takesOrders
      ? `To order, a person opens the product's ext.adbooth.order_url, or asks ${contact}.`
      : `Orders are placed outside the protocol: ask ${contact}.`,
  }
}

export type ContactWords = ReturnType<typeof contactWords>

export const CONTACT_CHARACTERS_MAX = 200

/** An address or a sentence, in one line; undefined if it may be one. */
export function contactError(text: string): string | undefined {
  if (text === "") return "Enter an address, a phone number or a sentence."
  if (text.length > CONTACT_CHARACTERS_MAX) return `Use at most ${CONTACT_CHARACTERS_MAX} characters.`
  return /\p{Cc}/u.test(text) ? "Write it in one line." : undefined
}
