import { maskKeys } from "../api-key.ts"
import type { Moment } from "../time/moment.ts"

/** For each reason, this many rejected items of a request are kept. All of them are counted. */
const KEPT_FOR_A_REASON = 5
const MESSAGE_CHARACTERS_MAX = 300
const SENT_CHARACTERS_MAX = 600

/** A request of an API key that was answered or refused. */
export interface FeedRequest {
  readonly organizationId: number
  readonly apiKeyId: number
  readonly at: Moment
  readonly feed: string
  /** "answered", "dry_run" or the code of a refusal. */
  readonly outcome: string
  readonly accepted: number
  readonly rejected: readonly RejectedRow[]
  /** What was sent. Rejected rows name their places in it. */
  readonly items: readonly unknown[]
}

interface RejectedRow {
  readonly index: number
  readonly reason: string
  readonly message: string
}

/** The part of a rejected item that is kept. */
interface RejectedSample {
  readonly reason: string
  readonly message: string
  readonly packageId: string | null
  readonly code: string | null
  /** The item as it was sent, shortened, with keys masked. */
  readonly sent: string
}

/** The first few rejected items of each reason. */
export function rejectedSamples({ rejected, items }: FeedRequest): RejectedSample[] {
  const byReason = Map.groupBy(rejected, ({ reason }) => reason)
  return [...byReason.values()].flatMap((rows) =>
    rows.slice(0, KEPT_FOR_A_REASON).map(({ index, reason, message }) => {
      const item = items[index]
      return {
        reason,
        message: shortened(message, MESSAGE_CHARACTERS_MAX),
        packageId: textIn(item, "package_id") ?? textIn(item, "packageId"),
        code: textIn(item, "code"),
        sent: shortened(flatJson(item), SENT_CHARACTERS_MAX),
      }
    }),
  )
}

const PACKAGE_OR_CODE_MAX = 128

function textIn(item: unknown, field: string): string | null {
  const value = typeof item === "object" && item !== null ? (item as Record<string, unknown>)[field] : undefined
  if (typeof value !== "string" || value.length > PACKAGE_OR_CODE_MAX) return null
  const text = maskKeys(value).toWellFormed()
  return field === "code" ? text : text.toLowerCase()
}

/** The item as JSON without nested values. Items are flat, and an item with 100,000 levels would take seconds. */
function flatJson(item: unknown): string {
  let isItem = true
  const json = JSON.stringify(item, (_, value) => {
    const isNested = typeof value === "object" && value !== null && !isItem
    isItem = false
    return isNested ? "…" : value
  })
  return json ?? ""
}

/** Masks keys before it cuts, so that no part of one is left at the end. */
function shortened(text: string, most: number): string {
  const masked = maskKeys(text)
  const cut = masked.length <= most ? masked : `${masked.slice(0, most)}…`
  return cut.toWellFormed()
}
