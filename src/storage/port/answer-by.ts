/**
 * By when a request that was admitted has to be answered, by `performance.now()`: all that it asks of the store shares this time, so that a database
 * that hangs keeps nobody waiting once for each step. Undefined: the step has a time of its own. SQLite needs none.
 */
export type AnswerBy = number | undefined

/** Of the 6 s within which every caller has an answer; the rest is for everything that is not the database. */
export const DATABASE_WITHIN_MS = 5_000
