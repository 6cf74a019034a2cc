import { expect } from "bun:test"
import fc from "fast-check"
import {
  afterMove,
  amountOf,
  ORDER_STATES,
  type OrderMove,
  type OrderState,
  type OrderTerms,
  stateAt,
} from "../../../src/domain/sale/order.ts"
import { MICROS_PER_DAY } from "../../../src/domain/time/moment.ts"

// What may happen to an order, once more and in other words than the program has it: as the list of what each side can still do.

export const MOVES: readonly OrderMove[] = [
  "seller accepts",
  "seller offers",
  "seller declines",
  "requester accepts",
  "requester declines",
  "requester withdraws",
]

export interface Happening {
  readonly move: OrderMove
  readonly daysLater: number
  readonly quantity: number
  readonly cents: number
}

export const happenings = fc.array(
  fc.record({
    move: fc.constantFrom(...MOVES),
    daysLater: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 5 }) }, fc.integer({ min: 25, max: 40 })),
    quantity: fc.integer({ min: 1, max: 10 ** 9 }),
    cents: fc.integer({ min: 1, max: 10 ** 7 }),
  }),
  { minLength: 1, maxLength: 12 },
)

/** Who waits for whom, and since when: all that decides what happens next. */
export class ModelOrder {
  waitsFor: "seller" | "requester" | "nobody" = "seller"
  state: OrderState = "asked"
  since = 0
  booked: { readonly quantity: number; readonly cents: number }[] = []
  terms: ModelOrder["booked"][number]

  constructor(terms: ModelOrder["booked"][number]) {
    this.terms = terms
  }

  /** Whether it was allowed. */
  play({ move, quantity, cents }: Happening, day: number): boolean {
    if (this.waitsFor !== "nobody" && day - this.since >= 30) this.#to("ended", "nobody", this.since)
    if (this.waitsFor === "nobody") return false
    const [who, what] = move.split(" ")
    if (what === "withdraws") return this.#to("withdrawn", "nobody", day)
    if (who === "requester" && this.waitsFor === "seller") return false
    if (what === "declines") return this.#to("declined", "nobody", day)
    if (what === "offers") {
      this.terms = { quantity, cents }
      return this.#to("offered", "requester", day)
    }
    if (who === "seller" && this.waitsFor === "requester") return false
    this.booked.push(this.terms)
    return this.#to("accepted", "nobody", day)
  }

  #to(state: OrderState, waitsFor: ModelOrder["waitsFor"], day: number): true {
    Object.assign(this, { state, waitsFor, since: day })
    return true
  }

  /** In whole cents, half a cent up. */
  amount(): string {
    const cents = (BigInt(this.terms.quantity) * BigInt(this.terms.cents) * 2n + 1_000n) / 2_000n
    const text = String(cents).padStart(3, "0")
    return `${text.slice(0, -2)}.${text.slice(-2)}`
  }
}

const PRICED = { counted: { unit: "impressions", per: 1_000 }, currency: "EUR" } as const

/** Plays generated histories by the rules and by the model, and expects them to agree at every step. */
export function playHistories(numRuns: number): void {
  fc.assert(
    fc.property(
      happenings,
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.integer({ min: 1, max: 10 ** 7 }),
      (all, quantity, cents) => {
        const model = new ModelOrder({ quantity, cents })
        let order: { state: OrderState; movedAt: number } = { state: "asked", movedAt: 0 }
        let terms: Pick<OrderTerms, "quantity" | "price"> = { quantity, price: (cents / 100).toFixed(2) }
        let booked = 0
        let day = 0
        for (const each of all) {
          day += each.daysLater
          const next = afterMove(order, each.move, day * MICROS_PER_DAY)
          expect(next !== null).toBe(model.play(each, day))
          if (next !== null) {
            expect(ORDER_STATES).toContain(next)
            if (each.move === "seller offers") terms = { quantity: each.quantity, price: (each.cents / 100).toFixed(2) }
            if (next === "accepted") booked += 1
            order = { state: next, movedAt: day * MICROS_PER_DAY }
          }
          expect(stateAt(order, day * MICROS_PER_DAY)).toBe(model.state)
          expect(amountOf(PRICED, terms)).toBe(model.amount())
          expect(booked).toBe(model.booked.length)
          expect(booked).toBeLessThanOrEqual(1)
        }
      },
    ),
    { numRuns },
  )
}
