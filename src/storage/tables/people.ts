import type { Kit } from "./kit.ts"

export const peopleTables = ({ table, id, flag, text, textOrEmpty, maybeText, whole, maybeWhole, oneOf }: Kit) => ({
  organization: table("organization", {
    id,
    slug: text,
    name: text,
    timeZone: text,
    /** Printed on statements, with line breaks. */
    address: textOrEmpty,
    /** Differs after each change of the seller's lines or totals: see `lockSeller`. */
    stamp: textOrEmpty,
    previousStamp: textOrEmpty,
  }),

  /** The picture on an organization's reports and statements. */
  organizationLogo: table("organization_logo", {
    organizationId: whole,
    mediaType: oneOf(["image/png", "image/jpeg", "image/webp"]),
    base64: text,
  }),

  apiKey: table("api_key", {
    id,
    organizationId: whole,
    label: text,
    prefix: text,
    fingerprint: text,
    createdAt: whole,
    lastUsedAt: maybeWhole,
    revokedAt: maybeWhole,
  }),

  auditEntry: table("audit_entry", {
    id,
    at: whole,
    /** "user:12", "key:3", "command" and the like. */
    actor: text,
    /** Null for changes that concern the whole server. */
    organizationId: maybeWhole,
    /** What happened, in words: "created the API key abi_4mTq". */
    text,
  }),

  user: table("user", {
    id,
    /** In lower case, so that one person has one account however the address is typed. */
    email: text,
    name: text,
    isOperator: flag,
    passwordHash: maybeText,
    totpSecret: maybeText,
    /** The newest time step whose code was used, so that no code works twice. */
    totpStep: maybeWhole,
    createdAt: whole,
  }),

  membership: table("membership", {
    userId: whole,
    organizationId: whole,
    role: oneOf(["admin", "member"]),
  }),

  session: table("session", {
    id,
    /** A hash, so that a copy of the database isn't enough to sign in. */
    tokenHash: text,
    userId: whole,
    createdAt: whole,
    lastSeenAt: whole,
    expiresAt: whole,
    userAgent: maybeText,
    address: maybeText,
  }),

  recoveryCode: table("recovery_code", {
    userId: whole,
    codeHash: text,
  }),

  oneTimeLink: table("one_time_link", {
    id,
    tokenHash: text,
    purpose: oneOf(["setup", "password", "second_factor"]),
    /** Null for the link that makes the first operator. */
    userId: maybeWhole,
    createdAt: whole,
    expiresAt: whole,
    claimedAt: maybeWhole,
  }),

  invitation: table("invitation", {
    id,
    organizationId: whole,
    email: text,
    name: text,
    role: oneOf(["admin", "member"]),
    tokenHash: text,
    createdAt: whole,
    expiresAt: whole,
  }),

  /** Failed sign-ins of "address A", "account E from A" or "code U", which make the next attempt wait. */
  signInFailure: table("sign_in_failure", {
    subject: text,
    failures: whole,
    lastAt: whole,
  }),
})
