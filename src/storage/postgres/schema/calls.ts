import { sql } from "drizzle-orm"
import { doublePrecision, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core"
import { rowId, whole } from "./columns.ts"

const CALL_TEXT_BYTES =
  "octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + 120"
const CALL_BYTES = `CASE WHEN ${CALL_TEXT_BYTES} <= 2000 THEN ${CALL_TEXT_BYTES} ELSE (${CALL_TEXT_BYTES} + 4091) / 4092 * 4096 END`

export const agentCall = pgTable(
  "agent_call",
  {
    id: rowId(),
    at: whole().notNull(),
    agentKeyId: text("agent_key_id"),
    address: text(),
    method: text().notNull(),
    tool: text(),
    arguments: text(),
    outcome: text().notNull(),
    durationMicros: whole("duration_micros").notNull(),
    bytes: whole().generatedAlwaysAs(sql.raw(CALL_BYTES)),
  },
  (table) => [index("agent_call_at").on(table.at)],
)

export const agentCallSize = pgTable("agent_call_size", {
  id: whole().primaryKey(),
  rows: whole().notNull(),
  bytes: whole().notNull(),
})

export const refusal = pgTable(
  "refusal",
  {
    hour: whole().notNull(),
    door: text().notNull(),
    status: whole().notNull(),
    requests: whole().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.door, table.status] })],
)

export const demandCount = pgTable(
  "demand_count",
  {
    week: text().notNull(),
    kind: text().notNull(),
    value: text().notNull(),
    calls: whole().notNull(),
    unmatched: whole().notNull(),
  },
  (table) => [primaryKey({ columns: [table.week, table.kind, table.value] })],
)

export const demandBrief = pgTable(
  "demand_brief",
  {
    week: text().notNull(),
    digest: text().notNull(),
    brief: text().notNull(),
    countries: text().notNull(),
    formats: text().notNull(),
    budget: doublePrecision(),
    currency: text(),
    agentKeyId: text("agent_key_id"),
    asked: whole().notNull(),
    matched: whole().notNull(),
    unmatched: whole().notNull(),
    firstProduct: text("first_product"),
    lastAt: whole("last_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.week, table.digest] }),
    index("demand_brief_order").on(table.unmatched, table.week, table.asked, table.digest),
  ],
)
