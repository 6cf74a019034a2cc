/** Sentences that say who buyers should contact. */
export interface ContactSentences {
  readonly contact: string
  /** For callers without a key. */
  readonly needsKey: string
  /** How to order, because no tool does it. */
  readonly orders: string
}

/** If the operator named no contact, the sentences refer to the operator of this address. */
export function contactSentences(named: string | null, agentUrl: string, takesOrders: boolean): ContactSentences {
  const contact = named ?? `the operator of ${new URL(agentUrl).host}`
  return {
    contact,
    needsKey: `Products are shown only to callers with a buyer key: ask ${contact} for one.`,
    orders: takesOrders
      ? `To order, a person opens the product's ext.adbooth.order_url, or asks ${contact}.`
      : `Orders are placed outside the protocol: ask ${contact}.`,
  }
}

export const CONTACT_CHARACTERS_MAX = 200

/** What is wrong with a contact. Null if it's an address or a sentence in one line. */
export function contactError(text: string): string | null {
  if (text === "") return "Enter an address, a phone number or a sentence."
  if (text.length > CONTACT_CHARACTERS_MAX) return `Use at most ${CONTACT_CHARACTERS_MAX} characters.`
  return /\p{Cc}/u.test(text) ? "Write it in one line." : null
}
