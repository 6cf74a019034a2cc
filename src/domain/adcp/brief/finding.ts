/** One thing about a product that a brief speaks of. */
export interface Finding {
  /** How far it moves the product up, or down. */
  readonly points: number
  /** Whether it is as the brief wants it. */
  readonly fits: boolean
  /** The fact, in words; made only for products that are shown. */
  readonly say: () => string
}
