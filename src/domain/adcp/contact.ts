export interface ContactWords {
  readonly contact: string
  /** Said to callers without a key. */
  readonly needsKey: string
  /** How to order, since no tool does it. */
  readonly orders: string
}

/** The sentences with the operator's contact; null: simply "the operator". */
export function contactWords(named: string | null): ContactWords {
  const contact = named ?? "the operator"
  return {
    contact,
    needsKey: `Products are shown only to callers with an agent key: ask ${contact} for one.`,
    orders: `Orders are placed outside the protocol: ask ${contact}.`,
  }
}
