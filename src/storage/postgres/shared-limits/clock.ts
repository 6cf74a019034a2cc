import type { Moment } from "../../../domain/time/moment.ts"

/**
 * What limits and leases are timed by. Undefined is the database's own clock, the only one that all replicas share: theirs may differ
 * by minutes. A test hands in one that it can move.
 */
export type GivenClock = (() => Moment) | undefined

/** The database's clock, in microseconds since 1970. */
export const DATABASE_NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
