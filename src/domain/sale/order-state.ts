import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"

export const ORDER_STATES = ["asked", "offered", "accepted", "declined", "withdrawn", "ended"] as const
export type OrderState = (typeof ORDER_STATES)[number]

export const OPEN_STATES: OrderState[] = ["asked", "offered"]
export const isOpen = (state: OrderState) => OPEN_STATES.includes(state)

type Move = Readonly<{ from: readonly OrderState[]; to: OrderState; action: string }>

/** Who does what to an order, and what the audit trail calls it. Time ends what nobody answers, and what nobody can have any more. */
export const MOVES = {
  "seller accepts": { from: ["asked"], to: "accepted", action: "accept order" },
  "seller offers": { from: OPEN_STATES, to: "offered", action: "offer order" },
  "seller declines": { from: OPEN_STATES, to: "declined", action: "decline order" },
  // The terms on the table are the seller's then: only the requester can accept them.
  "requester accepts": { from: ["offered"], to: "accepted", action: "accept order" },
  "requester declines": { from: ["offered"], to: "declined", action: "decline order" },
  "requester withdraws": { from: OPEN_STATES, to: "withdrawn", action: "withdraw order" },
  "time ends": { from: OPEN_STATES, to: "ended", action: "end order" },
} satisfies Readonly<Record<string, Move>>
export type OrderMove = keyof typeof MOVES

const ANSWER_DAYS = 30

/** Whose words an order carries: the last answer's, which is the seller's unless an offer was declined. */
export const isFromRequester = ({ state, movedBy }: Readonly<{ state: OrderState; movedBy: string }>): boolean =>
  state === "declined" && movedBy === "requester"

interface DatedState {
  readonly state: OrderState
  readonly movedAt: Moment
}

/** When an order ends by itself unless somebody answers. */
export const endsAt = ({ movedAt }: Pick<DatedState, "movedAt">): Moment => movedAt + ANSWER_DAYS * MICROS_PER_DAY

/** Open orders that moved no later have ended by now. */
export const endedBefore = (now: Moment): Moment => now - ANSWER_DAYS * MICROS_PER_DAY

/** The state now: one that nobody answered in time has ended, whether or not that was noted. */
export const stateAt = (order: DatedState, now: Moment): OrderState =>
  isOpen(order.state) && now >= endsAt(order) ? "ended" : order.state

/** The state after a move, or null where the order does not allow it: the only place that says so. */
export function afterMove(order: DatedState, move: OrderMove, now: Moment): OrderState | null {
  const { from, to }: Move = MOVES[move]
  return from.includes(move === "time ends" ? order.state : stateAt(order, now)) ? to : null
}
