import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core"
import { rowId, whole } from "./columns.ts"

export const organization = pgTable("organization", {
  id: rowId(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  timeZone: text("time_zone").notNull().default("UTC"),
  createdAt: whole("created_at").notNull(),
})

export const organizationLogo = pgTable("organization_logo", {
  organizationId: whole("organization_id")
    .primaryKey()
    .references(() => organization.id, { onDelete: "cascade" }),
  mediaType: text("media_type", { enum: ["image/png", "image/jpeg", "image/webp"] }).notNull(),
  base64: text().notNull(),
  savedAt: whole("saved_at").notNull(),
})

export const user = pgTable("user", {
  id: rowId(),
  email: text().notNull().unique(),
  name: text().notNull(),
  isOperator: whole("is_operator").notNull().default(0),
  passwordHash: text("password_hash"),
  totpSecret: text("totp_secret"),
  totpStep: whole("totp_step"),
  createdAt: whole("created_at").notNull(),
})

export const membership = pgTable(
  "membership",
  {
    userId: whole("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    role: text({ enum: ["admin", "member"] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index("membership_organization").on(table.organizationId),
  ],
)

export const session = pgTable(
  "session",
  {
    id: rowId(),
    tokenHash: text("token_hash").notNull().unique(),
    userId: whole("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    createdAt: whole("created_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
    userAgent: text("user_agent"),
    address: text(),
  },
  (table) => [index("session_user").on(table.userId)],
)

export const recoveryCode = pgTable(
  "recovery_code",
  {
    userId: whole("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

export const oneTimeLink = pgTable("one_time_link", {
  id: rowId(),
  tokenHash: text("token_hash").notNull().unique(),
  purpose: text({ enum: ["setup", "password", "second_factor"] }).notNull(),
  userId: whole("user_id").references(() => user.id, { onDelete: "cascade" }),
  createdAt: whole("created_at").notNull(),
  expiresAt: whole("expires_at").notNull(),
  claimedAt: whole("claimed_at"),
})

export const invitation = pgTable(
  "invitation",
  {
    id: rowId(),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    email: text().notNull(),
    name: text().notNull(),
    role: text({ enum: ["admin", "member"] }).notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: whole("created_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
  },
  (table) => [uniqueIndex("invitation_person").on(table.organizationId, table.email)],
)
