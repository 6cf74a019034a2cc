import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core"

// What only PostgreSQL needs: what a single process keeps in memory, for all replicas.

const whole = (name?: string) => (name === undefined ? bigint({ mode: "number" }) : bigint(name, { mode: "number" }))

/** One row. Moves on with every change that something in a replica's memory may depend on. */
export const revision = pgTable("revision", {
  id: whole().primaryKey(),
  terms: whole().notNull(),
  catalogue: whole().notNull(),
})

/** When each caller was admitted in the last minute. UNLOGGED: after a crash of the server all windows begin empty. */
export const rateWindow = pgTable(
  "rate_window",
  {
    // Which limit.
    name: text().notNull(),
    caller: text().notNull(),
    // Oldest first.
    stamps: whole().array().notNull(),
    // Of the last request: how many a minute may have, when it was, and how many of those that came together were admitted.
    capacity: whole().notNull(),
    at: whole().notNull(),
    admitted: whole().notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.caller] })],
)

/** How often signing in failed, by account or address: a fixed number of places, shared by hash. Place -1 holds the seed of the hash. */
export const signInFailure = pgTable("sign_in_failure", {
  place: whole().primaryKey(),
  failures: whole().notNull(),
  lastAt: whole("last_at").notNull(),
})

/** Who does what only one replica may do, and until when nobody else may. */
export const lease = pgTable("lease", {
  name: text().primaryKey(),
  holder: text().notNull(),
  expiresAt: whole("expires_at").notNull(),
})
