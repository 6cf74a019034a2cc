import { readPackageId } from "../campaign/package-line.ts"
import { maskKeys } from "../keys/api-key.ts"
import { hourOf } from "../operations/refusal.ts"
import { isObject } from "../schema/batch.ts"
import { DecimalLiteral } from "../schema/exact-json.ts"
import { MICROS_PER_SECOND } from "../time/moment.ts"
import type { FeedCount, FeedRequest, LastRequest, RejectedItem, Rejection } from "./feed-request.ts"

const FIELDS_MAX = 12
const NAME_CHARACTERS_MAX = 60
const VALUE_CHARACTERS_MAX = 160
// Nobody can tell a password or another system's token from an ordinary text. Of a long one only the beginning is kept, unless it is an ID or
// a number or moment.
const WHOLE_CHARACTERS_MAX = 24
const START_CHARACTERS = 12
const HARMLESS = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\d .,:+TZtz-]+)$/i
const TEXT_CHARACTERS_MAX = 600
// Longer than a key, so that one that begins inside the part that is kept is recognized and masked.
const KEY_CHARACTERS = 64
const SECRET_NAME = /(?:key|token|secret|password|passwd|authorization|credentials?|cookie)$/i
const MASKED = '"********"'

/** A rejected item as JSON, for people: keys masked, and never long, however large the item is. Only its first fields are read. */
export function sentText(item: unknown): string {
  if (typeof item !== "object" || item === null || Array.isArray(item) || item instanceof DecimalLiteral) {
    return valueText(item)
  }
  const fields: string[] = []
  for (const name in item) {
    if (fields.length === FIELDS_MAX) {
      fields.push("…")
      break
    }
    const value = (item as Record<string, unknown>)[name]
    const shown = JSON.stringify(shortened(name, NAME_CHARACTERS_MAX))
    fields.push(`${shown}: ${SECRET_NAME.test(name.slice(-NAME_CHARACTERS_MAX)) ? MASKED : valueText(value)}`)
  }
  const text = `{ ${fields.join(", ")} }`
  return text.length <= TEXT_CHARACTERS_MAX ? text : `${text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()}…`
}

function valueText(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(keptText(value))
  if (value instanceof DecimalLiteral) return shortened(value.text, VALUE_CHARACTERS_MAX)
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]"
  if (typeof value === "object" && value !== null) return "{…}"
  return String(value)
}

/** A text that somebody sent: whole when it is short or harmless, else only its beginning. */
function keptText(text: string): string {
  return shortened(text, charactersKept(text))
}

function charactersKept(text: string): number {
  if (text.length <= WHOLE_CHARACTERS_MAX) return WHOLE_CHARACTERS_MAX
  return text.length <= VALUE_CHARACTERS_MAX && HARMLESS.test(text) ? VALUE_CHARACTERS_MAX : START_CHARACTERS
}

/** PostgreSQL cannot hold U+0000, nor half of a surrogate pair. */
function shortened(text: string, charactersMax: number): string {
  const masked = maskKeys(text.slice(0, charactersMax + KEY_CHARACTERS))
  const cut =
    masked.length <= charactersMax && text.length <= charactersMax ? masked : `${masked.slice(0, charactersMax)}…`
  return cut.toWellFormed().replaceAll("\0", "\uFFFD")
}

// Items that are kept for each key, feed and reason in a minute; one more is kept for each batch that is written, with the number of
// the others. So a flood of rejected items costs a few rows, and still nobody has to guess how large it was.
const KEPT_PER_MINUTE = 5
// While nothing can be written. What does not fit is counted, but not kept.
const WAITING_ITEMS_MAX = 2_000
const MESSAGE_CHARACTERS_MAX = 300
const MINUTE = 60 * MICROS_PER_SECOND

/** What is written at a time. */
export interface ActivityBatch {
  readonly counts: readonly FeedCount[]
  readonly lastRequests: readonly LastRequest[]
  readonly items: readonly RejectedItem[]
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

/** How many items of a key, feed and reason were kept in its latest minute, and the one that stands for those that were not. */
interface Kept {
  count: number
  standsForMore: Writable<RejectedItem> | null
}

/**
 * Collects what was sent until it is written every few seconds, so that reports are not slowed down. A batch that could not be written
 * is taken again, with what came since.
 */
export class ActivityBuffer {
  #counts = new Map<string, Writable<FeedCount>>()
  #lastRequests = new Map<string, LastRequest>()
  #items: Writable<RejectedItem>[] = []
  #kept = new Map<string, Kept>()
  #keptMinute = 0
  #isCollected = false
  #underWay: ActivityBatch | null = null

  note(request: FeedRequest): void {
    const { keyId, at, feed, outcome, accepted, rejected } = request
    this.#count({ keyId, hour: hourOf(at), feed, unit: "request", outcome, count: 1 })
    this.#rememberLast({ keyId, at, feed, outcome, accepted, rejected: rejected.length })
    // Nothing of a dry run was stored, so nothing of it counts as delivered or as lost.
    if (outcome !== "answered") return
    if (accepted > 0) this.#countItems(request, "accepted", accepted)
    if (rejected.length > 0) this.#noteRejected(request)
  }

  /** Whether there is something that `take` would hand out. */
  waiting(): boolean {
    return this.#isCollected || this.#underWay !== null
  }

  /** From now on what was noted until now is waiting. */
  collect(): void {
    this.#isCollected ||= this.#counts.size > 0
  }

  /** What to write; called again when it was undone. */
  take(): ActivityBatch {
    const undone = this.#underWay
    if (undone !== null) {
      for (const count of undone.counts) this.#count(count)
      for (const last of undone.lastRequests) this.#rememberLast(last)
      this.#items = [...undone.items, ...this.#items].slice(0, WAITING_ITEMS_MAX)
    }
    const batch = {
      counts: [...this.#counts.values()],
      lastRequests: [...this.#lastRequests.values()],
      items: this.#items,
    }
    this.#counts = new Map()
    this.#lastRequests = new Map()
    this.#items = []
    for (const kept of this.#kept.values()) kept.standsForMore = null
    this.#isCollected = false
    this.#underWay = batch
    return batch
  }

  /** What was taken is on disk. */
  written(): void {
    this.#underWay = null
  }

  #count(added: FeedCount): void {
    const key = `${added.keyId} ${added.hour} ${added.feed} ${added.unit} ${added.outcome}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { ...added })
    else known.count += added.count
  }

  #countItems({ keyId, at, feed }: FeedRequest, outcome: string, count: number): void {
    this.#count({ keyId, hour: hourOf(at), feed, unit: "item", outcome, count })
  }

  #rememberLast(last: LastRequest): void {
    const known = this.#lastRequests.get(last.keyId)
    if (known === undefined || known.at <= last.at) this.#lastRequests.set(last.keyId, last)
  }

  #noteRejected(request: FeedRequest): void {
    for (const [reason, rejections] of Map.groupBy(request.rejected, (rejection) => rejection.reason)) {
      this.#countItems(request, reason, rejections.length)
      this.#keepSome(request, reason, rejections)
    }
  }

  #keepSome(request: FeedRequest, reason: string, rejections: readonly Rejection[]): void {
    const kept = this.#keptOf(`${request.keyId} ${request.feed} ${reason}`, Math.floor(request.at / MINUTE))
    for (const [i, rejection] of rejections.entries()) {
      if (kept.count >= KEPT_PER_MINUTE && kept.standsForMore !== null) {
        kept.standsForMore.more += rejections.length - i
        return
      }
      if (this.#items.length >= WAITING_ITEMS_MAX) return
      const item = rejectedItem(request, rejection)
      this.#items.push(item)
      if (kept.count >= KEPT_PER_MINUTE) kept.standsForMore = item
      else kept.count += 1
    }
  }

  #keptOf(key: string, minute: number): Kept {
    // Of earlier minutes nothing has to be known, so that this stays as small as the number of keys in use.
    if (minute !== this.#keptMinute) this.#kept.clear()
    this.#keptMinute = minute
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const kept: Kept = { count: 0, standsForMore: null }
    this.#kept.set(key, kept)
    return kept
  }
}

function rejectedItem(request: FeedRequest, { index, reason, message }: Rejection): Writable<RejectedItem> {
  const { organizationId, keyId, at, feed, items } = request
  const sent = items[index]
  const code = isObject(sent) ? sent["code"] : undefined
  return {
    organizationId,
    keyId,
    at,
    feed,
    reason,
    message: shortened(message, MESSAGE_CHARACTERS_MAX),
    packageId: (isObject(sent) && readPackageId(sent["package_id"] ?? sent["packageId"])) || null,
    code: typeof code === "string" ? keptText(code) : null,
    sent: sentText(sent),
    more: 0,
  }
}
