import { expect, test } from "bun:test"
import { afterMove, endsAt, ORDER_STATES, type OrderMove, stateAt } from "../../../src/domain/sale/order.ts"
import { MICROS_PER_DAY } from "../../../src/domain/time/moment.ts"
import { MOVES, playHistories } from "./order-model.ts"

test("an order moves as the table of states says, and in no other way", () => {
  const allowed = ORDER_STATES.flatMap((state) =>
    [...MOVES, "time ends" as const].flatMap((move: OrderMove) => {
      const next = afterMove({ state, movedAt: 0 }, move, 1)
      return next === null ? [] : `${state}: ${move} → ${next}`
    }),
  )
  expect(allowed).toEqual([
    "asked: seller accepts → accepted",
    "asked: seller offers → offered",
    "asked: seller declines → declined",
    "asked: requester withdraws → withdrawn",
    "asked: time ends → ended",
    "offered: seller offers → offered",
    "offered: seller declines → declined",
    "offered: requester accepts → accepted",
    "offered: requester declines → declined",
    "offered: requester withdraws → withdrawn",
    "offered: time ends → ended",
  ])
})

test("what nobody answers ends after thirty days, whether or not that was noted, and an answer starts them anew", () => {
  const order = { state: "asked", movedAt: 0 } as const
  const end = endsAt(order)
  expect(end).toBe(30 * MICROS_PER_DAY)
  expect(stateAt(order, end - 1)).toBe("asked")
  expect(stateAt(order, end)).toBe("ended")
  expect(afterMove(order, "seller accepts", end)).toBeNull()
  expect(stateAt({ state: "offered", movedAt: end - 1 }, end)).toBe("offered")
  expect(stateAt({ state: "accepted", movedAt: 0 }, end)).toBe("accepted")
})

test("an offer ends with its last day, wherever the seller is, and cannot be accepted afterwards", () => {
  const movedAt = Date.parse("2026-11-16T10:00:00Z") * 1_000
  const offer = { state: "offered", movedAt, offered: { to: "2026-11-20" } } as const
  const over = Date.parse("2026-11-21T12:00:00Z") * 1_000
  expect(endsAt(offer)).toBe(over)
  expect(afterMove(offer, "requester accepts", over - 1)).toBe("accepted")
  expect(afterMove(offer, "requester accepts", over)).toBeNull()
  expect(stateAt(offer, over)).toBe("ended")
  expect(endsAt({ ...offer, offered: { to: "2027-03-01" } })).toBe(movedAt + 30 * MICROS_PER_DAY)
})

test("generated histories go as a model has them: no other state, no second booking, every amount exact", () => {
  playHistories(1_000)
})
