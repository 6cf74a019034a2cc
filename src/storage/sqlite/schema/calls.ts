import { sql } from "drizzle-orm"
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core"

const CALL_TEXT_BYTES =
  "octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + 120"
const CALL_BYTES = `iif(${CALL_TEXT_BYTES} <= 2000, ${CALL_TEXT_BYTES}, (${CALL_TEXT_BYTES} + 4091) / 4092 * 4096)`

export const agentCall = sqliteTable(
  "agent_call",
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    agentKeyId: text("agent_key_id"),
    address: text(),
    method: text().notNull(),
    tool: text(),
    arguments: text(),
    outcome: text().notNull(),
    durationMicros: integer("duration_micros").notNull(),
    // Roughly the size of the row in the file, computed on read. Rows larger than half a page take whole pages.
    bytes: integer().generatedAlwaysAs(sql.raw(CALL_BYTES), { mode: "virtual" }),
  },
  (table) => [index("agent_call_at").on(table.at)],
)

/** One row with the size of the call log, so that nobody has to count a million rows. */
export const agentCallSize = sqliteTable("agent_call_size", {
  id: integer().primaryKey(),
  rows: integer().notNull(),
  bytes: integer().notNull(),
})

/** Refused requests, counted by the hour. */
export const refusal = sqliteTable(
  "refusal",
  {
    hour: integer().notNull(),
    door: text().notNull(),
    status: integer().notNull(),
    requests: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.door, table.status] })],
)

/** What buyers' agents asked for, counted by the week: calls by outcome, countries, formats, budgets, callers and products shown. */
export const demandCount = sqliteTable(
  "demand_count",
  {
    // The Monday of the week, in UTC.
    week: text().notNull(),
    kind: text().notNull(),
    value: text().notNull(),
    calls: integer().notNull(),
    // How many of these calls matched no product.
    unmatched: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.week, table.kind, table.value] })],
)

/** The briefs of a week, each once, with what was understood of it. */
export const demandBrief = sqliteTable(
  "demand_brief",
  {
    week: text().notNull(),
    digest: text().notNull(),
    // Shortened, with keys masked.
    brief: text().notNull(),
    // One on each line.
    countries: text().notNull(),
    formats: text().notNull(),
    budget: real(),
    currency: text(),
    // The last who asked; null without a key.
    agentKeyId: text("agent_key_id"),
    asked: integer().notNull(),
    // By the last answer.
    matched: integer().notNull(),
    unmatched: integer().notNull(),
    firstProduct: text("first_product"),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.week, table.digest] }),
    index("demand_brief_order").on(table.unmatched, table.week, table.asked, table.digest),
  ],
)
