// What holds when a backup takes the place of data, in either engine.

/** What a new installation creates by itself does not count as data. */
export const DATA_TABLES = ["organization", "user", "product", "creative_format", "agent_key"] as const

/** What can be revoked, and the column that identifies it. What was revoked after the backup stays revoked. */
export const REVOCABLE = [
  ["ingest_key", "fingerprint"],
  ["agent_key", "fingerprint"],
  ["share_link", "token_hash"],
] as const
