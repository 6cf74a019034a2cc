export interface Choice {
  readonly value: string
  readonly label: string
  /** More about it, quieter. */
  readonly note?: string
}

/** Choices by slug. */
export const choicesOf = (all: readonly { readonly slug: string; readonly name: string }[]): Choice[] =>
  all.map(({ slug, name }) => ({ value: slug, label: name }))
