import { type Moment, parseTimestamp } from "../src/domain/time/moment.ts"

/** A clock that stands still until it is moved. */
export interface MovableClock {
  (): Moment
  set(timestamp: string): void
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }): void
}

export function movableClock(timestamp: string): MovableClock {
  let now = at(timestamp)
  const clock = () => now
  return Object.assign(clock, {
    set(to: string) {
      now = at(to)
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Parameters<MovableClock["advance"]>[0]) {
      now += ((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + ms) * 1_000
    },
  })
}

/** The moment of a timestamp. */
export function at(timestamp: string): Moment {
  const moment = parseTimestamp(timestamp)
  if (moment === undefined) throw new Error(`${timestamp} is no timestamp`)
  return moment
}

// What another process wrote is seen from the next turn of the event loop on.
/** Lets everybody else be served. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
