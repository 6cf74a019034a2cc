import {
  ORDER_STATES,
  type OrderedProduct,
  type OrderTerms,
  type Requester,
  STATEMENT_STATES,
} from "../../domain/sale/order.ts"
import type { StatementBody } from "../../domain/sale/statement.ts"
import type { Kit } from "./kit.ts"

export const marketTables = ({
  table,
  id,
  text,
  textOrEmpty,
  maybeText,
  whole,
  maybeWhole,
  oneOf,
  json,
  maybeJson,
}: Kit) => ({
  buyerKey: table("buyer_key", {
    /** Eight random characters. Order links name the key by it. */
    id: text,
    label: text,
    prefix: text,
    fingerprint: text,
    createdAt: whole,
    lastUsedAt: maybeWhole,
    revokedAt: maybeWhole,
    /** The organization that the key acts for. Null if it acts for none. */
    buyerId: maybeWhole,
  }),

  product: table("product", {
    productId: text,
    /** The AdCP product as JSON. It was checked when it was saved. */
    body: text,
    /** The organization that sells it. Null if it isn't known. */
    sellerId: maybeWhole,
  }),

  creativeFormat: table("creative_format", {
    formatId: text,
    /** The AdCP format as JSON. Null hides the built-in format with this ID. */
    body: maybeText,
  }),

  /** A product that is shown to a buyer key. */
  opening: table("opening", {
    buyerKeyId: text,
    productId: text,
    /** ISO 3166-1 alpha-2 codes, or ["*"] for everywhere. */
    territories: json<readonly string[]>(),
  }),

  /** Counts changes, so that a server notices what another one changed. Triggers in the migrations raise it. */
  revision: table("revision", {
    name: oneOf(["catalogue"]),
    number: whole,
  }),

  agentCall: table("agent_call", {
    id,
    at: whole,
    buyerKeyId: maybeText,
    address: maybeText,
    method: text,
    tool: maybeText,
    /** As JSON, with secrets masked. */
    arguments: maybeText,
    outcome: text,
    durationMicros: whole,
    /** For `get_products`: the brief, what it names, and how many products fit. */
    brief: maybeText,
    channels: maybeJson<readonly string[]>(),
    countries: maybeJson<readonly string[]>(),
    matched: maybeWhole,
  }),

  /** The settings that were chosen in the app, by name. */
  setting: table("setting", {
    name: text,
    value: text,
  }),

  /** The alerts that aren't over. */
  alert: table("alert", {
    kind: text,
    /** The ID of a key or a line, or a host. Empty if the kind has only one. */
    subject: text,
    title: text,
    detail: text,
    /** The page to look at, without the address of the server. */
    path: text,
    beganAt: whole,
  }),

  /** Messages to send, with their recipient and outcome. */
  alertMessage: table("alert_message", {
    id: text,
    channel: oneOf(["email", "webhook"]),
    content: text,
    createdAt: whole,
    attempts: whole,
    /** Null once it was sent or given up. */
    nextAttemptAt: maybeWhole,
    sentAt: maybeWhole,
    problem: maybeText,
  }),

  /** Requests that were refused, by hour. */
  refusal: table("refusal", {
    hour: whole,
    /** "api", "agent" or "app". */
    way: text,
    status: whole,
    count: whole,
  }),

  /** Counts of what API keys sent, by hour: requests by outcome, items by acceptance or reason. */
  feedCount: table("feed_count", {
    apiKeyId: whole,
    hour: whole,
    feed: text,
    unit: oneOf(["request", "item"]),
    outcome: text,
    count: whole,
  }),

  feedLastRequest: table("feed_last_request", {
    apiKeyId: whole,
    at: whole,
    feed: text,
    outcome: text,
    accepted: whole,
    rejected: whole,
  }),

  rejectedItem: table("rejected_item", {
    id,
    organizationId: whole,
    apiKeyId: whole,
    at: whole,
    feed: text,
    reason: text,
    message: text,
    packageId: maybeText,
    code: maybeText,
    /** The item as it was sent, shortened, with keys masked. */
    sent: text,
  }),

  order: table("sale_order", {
    id: text,
    /** Hashes of the code in the address of its own page, and of the link that it came by. */
    codeHash: text,
    linkHash: text,
    buyerKeyId: text,
    productId: text,
    state: oneOf(ORDER_STATES),
    askedAt: whole,
    movedAt: whole,
    /** Who made the last move: "user:12" or "requester". */
    movedBy: text,
    /** The product as it was shown, who asks, and the terms. */
    product: json<OrderedProduct>(),
    requester: json<Requester>(),
    terms: json<OrderTerms>(),
    /** What the seller said when declining. */
    message: textOrEmpty,
    sellerId: maybeWhole,
    /** Its line, once it was accepted. */
    packageId: maybeText,
  }),

  statement: table("statement", {
    id,
    sellerId: whole,
    buyerId: whole,
    /** It covers everything delivered through this day that earlier statements didn't. */
    through: text,
    /** Counted for each seller and year: "2026-014". */
    number: text,
    state: oneOf(STATEMENT_STATES),
    frozenAt: whole,
    paidOn: maybeText,
    /** What is printed. It never changes. */
    body: json<StatementBody>(),
  }),

  /** The amount of a statement for one line, so that later statements can subtract it. */
  statementLine: table("statement_line", {
    statementId: whole,
    lineId: whole,
    currency: text,
    /** In the smallest coin of the currency. */
    coins: whole,
  }),

  /** An uploaded file. It's open until it's reported or discarded. */
  upload: table("upload", {
    id,
    organizationId: whole,
    /** Null for a file that a program sent, or if the account was removed. */
    uploadedBy: maybeWhole,
    fileName: text,
    state: oneOf(["open", "reported", "withdrawn"]),
    bytes: whole,
    rows: whole,
    uploadedAt: whole,
    reportedAt: maybeWhole,
    /** The sheets of an open file and the answers of the person, as JSON. Null once it was reported. */
    content: maybeText,
    /** The outcome of a reported file, as JSON. */
    result: maybeText,
    sourceId: maybeWhole,
  }),

  /** How an organization's files are read, by their headings, and which line each name in them stands for. */
  uploadMemory: table("upload_memory", {
    organizationId: whole,
    kind: oneOf(["reading", "line"]),
    name: text,
    meaning: text,
  }),
})
