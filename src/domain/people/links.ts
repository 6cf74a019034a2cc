import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

const MINUTE = 60 * MICROS_PER_SECOND

/** setup makes the first operator. second_factor follows a right password, until the code is typed. */
export type LinkPurpose = "setup" | "password" | "second_factor"

// Long enough to switch to another machine, and short enough that a link in a log is soon worthless.
export const SETUP_LINK_MINUTES = 30
// The person asked for it and waits for the mail.
export const FORGOTTEN_LINK_MINUTES = 60
/** How long it takes until another one is mailed, so that strangers can't fill a mailbox. */
export const FORGOTTEN_LINK_EVERY_MINUTES = 10
/** For links that the operator makes, and for invitations. */
export const LINK_DAYS = 3
export const CODE_MINUTES = 10

export const minutesAfter = (now: Moment, minutes: number): Moment => now + minutes * MINUTE

export const daysAfter = (now: Moment, days: number): Moment => minutesAfter(now, days * 24 * 60)
