import type { Tables } from "../tables/tables.ts"

/** What a copy must know about a table besides its columns. */
export interface TableFacts {
  /** The fields of its primary key: rows are read in this order. */
  readonly key: readonly string[]
  /** Fields that no export has: secrets and hashes of secrets. */
  readonly secrets?: readonly string[]
  /** It's left out of exports, because all it holds is secrets. */
  readonly isSecret?: true
  /** A restore empties it, so that sessions and one-time links that ended since the backup don't work again. */
  readonly isEmptied?: true
  /** Rows that were revoked since the backup stay revoked. They are recognized by this field. */
  readonly revokedBy?: string
  /** Its rows are data: a database with any of them isn't replaced without a question. */
  readonly isData?: true
}

/** All tables but `revision`, which only counts, and so must never go back to an earlier number. */
export const COPIED_TABLES: Readonly<Record<Exclude<keyof Tables, "revision">, TableFacts>> = {
  organization: { key: ["id"], secrets: ["stamp", "previousStamp"], isData: true },
  organizationLogo: { key: ["organizationId"] },
  apiKey: { key: ["id"], secrets: ["fingerprint"], revokedBy: "fingerprint" },
  auditEntry: { key: ["id"] },
  user: { key: ["id"], secrets: ["passwordHash", "totpSecret", "totpStep"], isData: true },
  membership: { key: ["userId", "organizationId"] },
  session: { key: ["id"], isSecret: true, isEmptied: true },
  recoveryCode: { key: ["userId", "codeHash"], isSecret: true },
  oneTimeLink: { key: ["id"], isSecret: true, isEmptied: true },
  invitation: { key: ["id"], secrets: ["tokenHash"], isEmptied: true },
  signInFailure: { key: ["subject"], isSecret: true },
  campaign: { key: ["id"] },
  line: { key: ["id"] },
  shareLink: { key: ["id"], secrets: ["tokenHash"], revokedBy: "tokenHash" },
  deliverySource: { key: ["id"] },
  deliveryReport: { key: ["asOf", "lineId", "receivedAt"] },
  deliveryDay: { key: ["day", "lineId"] },
  deliveryTotal: { key: ["lineId"] },
  withdrawnReport: { key: ["id"] },
  affiliateCode: { key: ["id"] },
  affiliateMetric: { key: ["codeId", "date"] },
  buyerKey: { key: ["id"], secrets: ["fingerprint"], revokedBy: "fingerprint", isData: true },
  product: { key: ["productId"], isData: true },
  creativeFormat: { key: ["formatId"], isData: true },
  opening: { key: ["buyerKeyId", "productId"] },
  agentCall: { key: ["id"] },
  setting: { key: ["name"] },
  alert: { key: ["kind", "subject"] },
  alertMessage: { key: ["id"] },
  refusal: { key: ["hour", "way", "status"] },
  feedCount: { key: ["apiKeyId", "hour", "feed", "unit", "outcome"] },
  feedLastRequest: { key: ["apiKeyId"] },
  rejectedItem: { key: ["id"] },
  order: { key: ["id"], secrets: ["codeHash", "linkHash"] },
  statement: { key: ["id"] },
  statementLine: { key: ["statementId", "lineId", "currency"] },
  upload: { key: ["id"] },
  uploadMemory: { key: ["organizationId", "kind", "name"] },
}

export type CopiedTable = keyof typeof COPIED_TABLES

/** Settings whose names begin like this are secrets. */
export const SECRET_SETTINGS = "secret."
