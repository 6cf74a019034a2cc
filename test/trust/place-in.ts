import { Place, type Room } from "../../src/doors/http/room.ts"

class Anybodys extends Place {
  readonly address = "10.0.0.1"
  readonly claim: string

  constructor(room: Room, claim: string, length: number) {
    super(room, length)
    this.claim = claim
  }
}

/** A place for a request that claims to be somebody's. */
export const placeIn = (room: Room, claim: string, length: number) => new Anybodys(room, claim, length)
