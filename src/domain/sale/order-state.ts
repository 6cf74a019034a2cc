import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"

export const ORDER_STATES = ["asked", "offered", "accepted", "declined", "withdrawn", "ended"] as const
export type OrderState = (typeof ORDER_STATES)[number]

export const OPEN_STATES: OrderState[] = ["asked", "offered"]
export const isOpen = (state: OrderState) => OPEN_STATES.includes(state)

/** Who does what to an order. Time ends what nobody answers, and what nobody can have any more. */
export type OrderMove =
  | "seller accepts"
  | "seller offers"
  | "seller declines"
  | "requester accepts"
  | "requester declines"
  | "requester withdraws"
  | "time ends"

const MOVES: Readonly<Record<OrderState, Readonly<Partial<Record<OrderMove, OrderState>>>>> = {
  asked: {
    "seller accepts": "accepted",
    "seller offers": "offered",
    "seller declines": "declined",
    "requester withdraws": "withdrawn",
    "time ends": "ended",
  },
  // The terms on the table are the seller's: only the requester can accept them, and the seller may change them once more.
  offered: {
    "requester accepts": "accepted",
    "requester declines": "declined",
    "requester withdraws": "withdrawn",
    "seller offers": "offered",
    "seller declines": "declined",
    "time ends": "ended",
  },
  accepted: {},
  declined: {},
  withdrawn: {},
  ended: {},
}

const ANSWER_DAYS = 30

/** Whose words an order carries: the last answer's, which is the seller's unless an offer was declined. */
export const isFromRequester = ({
  state,
  movedBy,
}: {
  readonly state: OrderState
  readonly movedBy: string
}): boolean => state === "declined" && movedBy === "requester"

interface Standing {
  readonly state: OrderState
  /** When it got there. */
  readonly movedAt: Moment
}

/** When an order ends by itself unless somebody answers. */
export const endsAt = ({ movedAt }: Pick<Standing, "movedAt">): Moment => movedAt + ANSWER_DAYS * MICROS_PER_DAY

/** Open orders that moved no later have ended by now. */
export const endedBefore = (now: Moment): Moment => now - ANSWER_DAYS * MICROS_PER_DAY

/** The state now: one that nobody answered in time has ended, whether or not that was noted. */
export const stateAt = (order: Standing, now: Moment): OrderState =>
  isOpen(order.state) && now >= endsAt(order) ? "ended" : order.state

/** The state after a move, or null where the order does not allow it: the only place that says so. */
export function afterMove(order: Standing, move: OrderMove, now: Moment): OrderState | null {
  if (move === "time ends") return MOVES[order.state][move] ?? null
  return MOVES[stateAt(order, now)][move] ?? null
}
