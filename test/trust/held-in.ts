import { type Bounds, Held } from "../../src/doors/http/bounds.ts"

class Anybodys extends Held {
  readonly address: string
  readonly claim: string

  constructor(bounds: Bounds, claim: string, length: number) {
    super(bounds, length)
    this.claim = claim
    this.address = `address of ${claim}`
  }
}

/** What a request holds that claims to be somebody's, who has an address of their own. */
export const heldIn = (bounds: Bounds, claim: string, length: number) => new Anybodys(bounds, claim, length)
