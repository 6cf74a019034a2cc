import type { Kit } from "./kit.ts"

export const peopleTables = ({ table, text, whole, id }: Kit) => ({
  user: table("user", {
    id: id(),
    /** In lower case, so that one person has one account however the address is typed. */
    email: text("email").notNull(),
    name: text("name").notNull(),
    isOperator: whole("is_operator").notNull().default(0),
    passwordHash: text("password_hash"),
    totpSecret: text("totp_secret"),
    /** The newest time step whose code was used, so that no code works twice. */
    totpStep: whole("totp_step"),
    createdAt: whole("created_at").notNull(),
  }),

  membership: table("membership", {
    userId: whole("user_id").notNull(),
    organizationId: whole("organization_id").notNull(),
    role: text("role", { enum: ["admin", "member"] }).notNull(),
  }),

  session: table("session", {
    id: id(),
    /** A hash, so that a copy of the database isn't enough to sign in. */
    tokenHash: text("token_hash").notNull(),
    userId: whole("user_id").notNull(),
    createdAt: whole("created_at").notNull(),
    lastSeenAt: whole("last_seen_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
    userAgent: text("user_agent"),
    address: text("address"),
  }),

  recoveryCode: table("recovery_code", {
    userId: whole("user_id").notNull(),
    codeHash: text("code_hash").notNull(),
  }),

  oneTimeLink: table("one_time_link", {
    id: id(),
    tokenHash: text("token_hash").notNull(),
    purpose: text("purpose", { enum: ["setup", "password", "second_factor"] }).notNull(),
    /** Null for the link that makes the first operator. */
    userId: whole("user_id"),
    createdAt: whole("created_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
    claimedAt: whole("claimed_at"),
  }),

  invitation: table("invitation", {
    id: id(),
    organizationId: whole("organization_id").notNull(),
    email: text("email").notNull(),
    name: text("name").notNull(),
    role: text("role", { enum: ["admin", "member"] }).notNull(),
    tokenHash: text("token_hash").notNull(),
    createdAt: whole("created_at").notNull(),
    expiresAt: whole("expires_at").notNull(),
  }),

  /** Failed sign-ins of "address A", "account E from A" or "code U", which make the next attempt wait. */
  signInFailure: table("sign_in_failure", {
    subject: text("subject").primaryKey(),
    failures: whole("failures").notNull(),
    lastAt: whole("last_at").notNull(),
  }),
})
