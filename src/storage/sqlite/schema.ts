// The tables of SQLite; test/architecture.test.ts checks that ../postgres/schema.ts has the same. Moments are microseconds since 1970
// (UTC), dates are YYYY-MM-DD, flags are 0 or 1.
// scripts/migrations.ts makes every table STRICT, and WITHOUT ROWID where the primary key is how rows are always found.
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
