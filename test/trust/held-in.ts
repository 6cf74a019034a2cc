import { type Bounds, Held } from "../../src/doors/http/bounds.ts"

class Anybodys extends Held {
  readonly claim: string | null

  constructor(bounds: Bounds, claim: string | null, length: number) {
    super(bounds, length)
    this.claim = claim
  }
}

/** What a request holds that brings this key or session, or none. */
export const heldIn = (bounds: Bounds, claim: string | null, length: number) => new Anybodys(bounds, claim, length)
