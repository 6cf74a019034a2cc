import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"

export const organization = sqliteTable("organization", {
  id: integer().primaryKey(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  timeZone: text("time_zone").notNull().default("UTC"),
  createdAt: integer("created_at").notNull(),
})

/** The picture on an organization's reports. As text, so that it travels between engines like everything else. */
export const organizationLogo = sqliteTable("organization_logo", {
  organizationId: integer("organization_id")
    .primaryKey()
    .references(() => organization.id, { onDelete: "cascade" }),
  mediaType: text("media_type", { enum: ["image/png", "image/jpeg", "image/webp"] }).notNull(),
  base64: text().notNull(),
  savedAt: integer("saved_at").notNull(),
})

export const user = sqliteTable("user", {
  id: integer().primaryKey(),
  // Kept in lower case, so that one person has one account however the address is typed.
  email: text().notNull().unique(),
  name: text().notNull(),
  isOperator: integer("is_operator").notNull().default(0),
  passwordHash: text("password_hash"),
  totpSecret: text("totp_secret"),
  // The newest time step whose code was used, so that no code works twice.
  totpStep: integer("totp_step"),
  createdAt: integer("created_at").notNull(),
})

export const membership = sqliteTable(
  "membership",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    role: text({ enum: ["admin", "member"] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index("membership_organization").on(table.organizationId),
  ],
)

export const session = sqliteTable(
  "session",
  {
    id: integer().primaryKey(),
    // Only a hash of the token: a copy of the database signs nobody in.
    tokenHash: text("token_hash").notNull().unique(),
    userId: integer("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    // Where the person signed in, to recognize the session in a list: the browser's own words, and the address.
    userAgent: text("user_agent"),
    address: text(),
  },
  (table) => [index("session_user").on(table.userId)],
)

export const recoveryCode = sqliteTable(
  "recovery_code",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    codeHash: text("code_hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

export const oneTimeLink = sqliteTable("one_time_link", {
  id: integer().primaryKey(),
  tokenHash: text("token_hash").notNull().unique(),
  purpose: text({ enum: ["setup", "password", "second_factor"] }).notNull(),
  // The account that the link is for; null for the link that makes the first operator.
  userId: integer("user_id").references(() => user.id, { onDelete: "cascade" }),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  claimedAt: integer("claimed_at"),
})

// A person whom an organization has invited. The address may or may not have an account, and other organizations cannot affect the
// invitation.
export const invitation = sqliteTable(
  "invitation",
  {
    id: integer().primaryKey(),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    email: text().notNull(),
    // As the inviter wrote it.
    name: text().notNull(),
    role: text({ enum: ["admin", "member"] }).notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [uniqueIndex("invitation_person").on(table.organizationId, table.email)],
)
