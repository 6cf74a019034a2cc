import type { Kit } from "./kit.ts"

export const operationTables = ({ table, text, whole, id }: Kit) => ({
  /** The settings that were chosen in the app, by name. */
  setting: table("setting", {
    name: text("name").primaryKey(),
    value: text("value").notNull(),
  }),

  /** The last time of each cause for an alert. */
  alert: table("alert", {
    kind: text("kind").notNull(),
    /** The ID of a key or a line, or a host. Empty if the kind has only one. */
    subject: text("subject").notNull(),
    title: text("title").notNull(),
    detail: text("detail").notNull(),
    /** The page to look at, without the address of the server. */
    path: text("path").notNull(),
    beganAt: whole("began_at").notNull(),
    endedAt: whole("ended_at"),
  }),

  /** Messages to send, with their recipient and outcome. */
  alertMessage: table("alert_message", {
    id: text("id").primaryKey(),
    channel: text("channel", { enum: ["email", "webhook"] }).notNull(),
    content: text("content").notNull(),
    createdAt: whole("created_at").notNull(),
    attempts: whole("attempts").notNull(),
    /** Null once it was sent or given up. */
    nextAttemptAt: whole("next_attempt_at"),
    sentAt: whole("sent_at"),
    problem: text("problem"),
  }),

  /** Requests that were refused, by hour. */
  refusal: table("refusal", {
    hour: whole("hour").notNull(),
    /** "api", "agent" or "app". */
    way: text("way").notNull(),
    status: whole("status").notNull(),
    count: whole("count").notNull(),
  }),

  /** Counts of what API keys sent, by hour: requests by outcome, items by acceptance or reason. */
  feedCount: table("feed_count", {
    apiKeyId: whole("api_key_id").notNull(),
    hour: whole("hour").notNull(),
    feed: text("feed").notNull(),
    unit: text("unit", { enum: ["request", "item"] }).notNull(),
    outcome: text("outcome").notNull(),
    count: whole("count").notNull(),
  }),

  feedLastRequest: table("feed_last_request", {
    apiKeyId: whole("api_key_id").primaryKey(),
    at: whole("at").notNull(),
    feed: text("feed").notNull(),
    outcome: text("outcome").notNull(),
    accepted: whole("accepted").notNull(),
    rejected: whole("rejected").notNull(),
  }),

  rejectedItem: table("rejected_item", {
    id: id(),
    organizationId: whole("organization_id").notNull(),
    apiKeyId: whole("api_key_id").notNull(),
    at: whole("at").notNull(),
    feed: text("feed").notNull(),
    reason: text("reason").notNull(),
    message: text("message").notNull(),
    packageId: text("package_id"),
    code: text("code"),
    /** The item as it was sent, shortened, with keys masked. */
    sent: text("sent").notNull(),
  }),
})
