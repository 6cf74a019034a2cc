/** Bought by one organization, made of package lines that may have different sellers. */
export interface Campaign {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly buyerId: number
}
