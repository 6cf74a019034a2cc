/** The sentences with the operator's contact; null: simply "the operator". */
export function contactWords(named: string | null) {
  const contact = named ?? "the operator"
  return {
    contact,
    /** Said to callers without a key. */
    needsKey: `Products are shown only to callers with an agent key: ask ${contact} for one.`,
    /** How to order, since no tool does it. */
    orders: `Orders are placed outside the protocol: ask ${contact}.`,
  }
}

export type ContactWords = ReturnType<typeof contactWords>
