import type { Kit } from "./kit.ts"

export type PeopleTables = ReturnType<typeof peopleTables>

export function peopleTables({ idOf, index, lastingId, primaryKey, rowId, table, text, whole }: Kit) {
  const organization = table(
    "organization",
    { forgets: "terms", rows: "few", exported: "csv and json", hidden: [], knownBy: ["slug"], isData: true },
    {
      id: rowId(),
      slug: text().notNull().unique(),
      name: text().notNull(),
      timeZone: text("time_zone").notNull().default("UTC"),
      createdAt: whole("created_at").notNull(),
    },
  )

  /** The picture on an organization's reports. As text, so that it travels between engines like everything else. */
  const organizationLogo = table(
    "organization_logo",
    { forgets: "terms", rows: "few", exported: "csv and json", hidden: [] },
    {
      organizationId: whole("organization_id")
        .primaryKey()
        .references(() => organization.id, { onDelete: "cascade" }),
      mediaType: text("media_type", { enum: ["image/png", "image/jpeg", "image/webp"] }).notNull(),
      base64: text().notNull(),
      savedAt: whole("saved_at").notNull(),
    },
  )

  const user = table(
    "user",
    {
      forgets: "nothing",
      rows: "few",
      exported: "csv and json",
      hidden: ["passwordHash", "totpSecret", "totpStep"],
      knownBy: ["email"],
      isData: true,
    },
    {
      id: lastingId(),
      // Kept in lower case, so that one person has one account however the address is typed.
      email: text().notNull().unique(),
      name: text().notNull(),
      isOperator: whole("is_operator").notNull().default(0),
      passwordHash: text("password_hash"),
      totpSecret: text("totp_secret"),
      // The newest time step whose code was used, so that no code works twice.
      totpStep: whole("totp_step"),
      createdAt: whole("created_at").notNull(),
    },
  )

  const membership = table(
    "membership",
    {
      forgets: "nothing",
      rows: "few",
      exported: "csv and json",
      hidden: [],
      keepsOrganization: "organizationId",
      isStoredByKey: true,
    },
    {
      userId: idOf("user_id", () => user.id, { onDelete: "cascade" }),
      organizationId: idOf("organization_id", () => organization.id, { onDelete: "cascade" }),
      role: text({ enum: ["admin", "member"] }).notNull(),
    },
    (columns) => [
      primaryKey({ columns: [columns.userId, columns.organizationId] }),
      index("membership_organization").on(columns.organizationId),
    ],
  )

  return { organization, organizationLogo, user, membership }
}

export function signInTables(
  { idOf, index, primaryKey, rowId, table, text, uniqueIndex, whole }: Kit,
  { organization, user }: PeopleTables,
) {
  const session = table(
    "session",
    { forgets: "nothing", rows: "few", exported: "never", hidden: ["tokenHash"], isEmptiedByRestore: true },
    {
      id: rowId(),
      // Only a hash of the token: a copy of the database signs nobody in.
      tokenHash: text("token_hash").notNull().unique(),
      userId: idOf("user_id", () => user.id, { onDelete: "cascade" }),
      createdAt: whole("created_at").notNull(),
      expiresAt: whole("expires_at").notNull(),
      // Where the person signed in, to recognize the session in a list: the browser's own words, and the address.
      userAgent: text("user_agent"),
      address: text(),
    },
    (columns) => [index("session_user").on(columns.userId)],
  )

  const recoveryCode = table(
    "recovery_code",
    { forgets: "nothing", rows: "few", exported: "json", hidden: ["codeHash"], isStoredByKey: true },
    {
      userId: idOf("user_id", () => user.id, { onDelete: "cascade" }),
      codeHash: text("code_hash").notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.userId, columns.codeHash] })],
  )

  const oneTimeLink = table(
    "one_time_link",
    { forgets: "nothing", rows: "few", exported: "never", hidden: ["tokenHash"], isEmptiedByRestore: true },
    {
      id: rowId(),
      tokenHash: text("token_hash").notNull().unique(),
      purpose: text({ enum: ["setup", "password", "second_factor"] }).notNull(),
      // The account that the link is for; null for the link that makes the first operator.
      userId: whole("user_id").references(() => user.id, { onDelete: "cascade" }),
      createdAt: whole("created_at").notNull(),
      expiresAt: whole("expires_at").notNull(),
      claimedAt: whole("claimed_at"),
    },
  )

  // A person whom an organization has invited. The address may or may not have an account, and other organizations cannot affect the
  // invitation.
  const invitation = table(
    "invitation",
    { forgets: "nothing", rows: "few", exported: "csv and json", hidden: ["tokenHash"], isEmptiedByRestore: true },
    {
      id: rowId(),
      organizationId: idOf("organization_id", () => organization.id, { onDelete: "cascade" }),
      email: text().notNull(),
      // As the inviter wrote it.
      name: text().notNull(),
      role: text({ enum: ["admin", "member"] }).notNull(),
      tokenHash: text("token_hash").notNull().unique(),
      createdAt: whole("created_at").notNull(),
      expiresAt: whole("expires_at").notNull(),
      // Only the operator's are for addresses that have an account.
      byOperator: whole("by_operator").notNull().default(0),
    },
    (columns) => [uniqueIndex("invitation_person").on(columns.organizationId, columns.email)],
  )

  return { session, recoveryCode, oneTimeLink, invitation }
}
