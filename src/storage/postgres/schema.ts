// The same tables, columns and values as in SQLite, so that copying is copying: moments are microseconds since 1970 (UTC), dates are
// YYYY-MM-DD, flags are 0 or 1, JSON is text. What a table is for is said beside it in ../sqlite/schema; here is only what
// differs. scripts/migrations.ts makes every text COLLATE "C": compared byte by byte, as in SQLite, whatever the server's language.
export * from "./schema/affiliates.ts"
export * from "./schema/alerts.ts"
export * from "./schema/calls.ts"
export * from "./schema/campaigns.ts"
export * from "./schema/catalogue.ts"
export * from "./schema/delivery.ts"
export * from "./schema/feed-activity.ts"
export * from "./schema/operations.ts"
export * from "./schema/people.ts"
export * from "./schema/uploads.ts"
