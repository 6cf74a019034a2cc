import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"

export const ORDER_STATES = ["asked", "accepted", "declined", "withdrawn"] as const
type StoredState = (typeof ORDER_STATES)[number]
export type OrderState = StoredState | "expired"

interface Asked {
  readonly state: StoredState
  readonly askedAt: Moment
}

const ANSWER_DAYS = 30

/** When an unanswered order expires. */
export const expiryOf = ({ askedAt }: Asked): Moment => askedAt + ANSWER_DAYS * MICROS_PER_DAY

/** Unanswered orders from this moment or before have expired. */
export const expiredAt = (now: Moment): Moment => now - ANSWER_DAYS * MICROS_PER_DAY

export const stateAt = (order: Asked, now: Moment): OrderState =>
  order.state === "asked" && now >= expiryOf(order) ? "expired" : order.state

const MOVES = { accept: "accepted", decline: "declined", withdraw: "withdrawn" } as const
export type OrderMove = keyof typeof MOVES

/** The state after a move. Null if the order doesn't allow it any more: all moves begin at "asked". */
export const afterMove = (order: Asked, move: OrderMove, now: Moment): StoredState | null =>
  stateAt(order, now) === "asked" ? MOVES[move] : null

export const STATEMENT_STATES = ["frozen", "paid", "cancelled"] as const
export type StatementState = (typeof STATEMENT_STATES)[number]
