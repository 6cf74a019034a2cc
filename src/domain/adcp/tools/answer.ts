import type { Static } from "@sinclair/typebox"
import { maskKeys } from "../../api-key.ts"
import { isObject, type Problem, pathOf } from "../../schema/explain.ts"
import { PAGE_RESULTS_DEFAULT, type Pagination as PageInput } from "../input.ts"
import { canonicalJson, cutText, digestOf } from "../text.ts"

/** Error codes of AdCP, with what a caller can do. We use only these, because clients retry unknown codes forever. */
const RECOVERY = {
  INVALID_REQUEST: "correctable",
  VERSION_UNSUPPORTED: "correctable",
  PRODUCT_NOT_FOUND: "correctable",
  PROPOSAL_NOT_FOUND: "correctable",
  REFERENCE_NOT_FOUND: "correctable",
  MEDIA_BUY_NOT_FOUND: "correctable",
  UNSUPPORTED_GRANULARITY: "correctable",
  AUTH_MISSING: "correctable",
  PERMISSION_DENIED: "correctable",
  ACCOUNT_NOT_FOUND: "terminal",
  CREDENTIAL_IN_ARGS: "terminal",
  AUTH_INVALID: "terminal",
  RATE_LIMITED: "transient",
  SERVICE_UNAVAILABLE: "transient",
} as const

type AdcpErrorCode = keyof typeof RECOVERY

interface Details {
  readonly field?: string
  readonly issues?: readonly Problem[]
  readonly suggestion?: string
  readonly retry_after?: number
  readonly details?: Readonly<Record<string, unknown>>
}

export interface AdcpErrorBody extends Details {
  readonly code: AdcpErrorCode
  readonly message: string
  readonly recovery: (typeof RECOVERY)[AdcpErrorCode]
}

/** A call that a tool refuses. Throw it anywhere in a tool: it becomes the answer. */
export class AdcpError extends Error {
  readonly body: AdcpErrorBody

  constructor(code: AdcpErrorCode, message: string, details: Details = {}) {
    super(message)
    this.body = { code, message, recovery: RECOVERY[code], ...details }
  }
}

// Clients drop an error of 4,096 bytes or more. These limits stay well below.
const ISSUES_MAX = 6
const MESSAGE_CHARACTERS_MAX = 250
const POINTER_CHARACTERS_MAX = 120

export function invalidRequest(problems: readonly Problem[]): AdcpError {
  const issues = problems.slice(0, ISSUES_MAX).map(({ pointer, message, keyword }) => ({
    pointer: cutText(pointer, POINTER_CHARACTERS_MAX),
    message: cutText(message, MESSAGE_CHARACTERS_MAX),
    keyword,
  }))
  const [first = { pointer: "", message: "The arguments are invalid" }] = issues
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""
  const field = pathOf(first.pointer)
  return new AdcpError("INVALID_REQUEST", `${first.message}${more}.`, { ...(field !== "" && { field }), issues })
}

/** A rule that the input schema doesn't state. */
export const brokenRule = (pointer: string, message: string, keyword = "rule"): AdcpError =>
  invalidRequest([{ pointer, message, keyword }])

const NAMES_MAX = 10
const NAME_CHARACTERS_MAX = 60

/** Some names that a caller sent, and how many more there are. */
export function namesText(names: readonly string[]): string {
  const first = names.slice(0, NAMES_MAX).map((name) => cutText(maskKeys(name), NAME_CHARACTERS_MAX))
  return `${first.join(", ")}${names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ""}`
}

export const ADCP_VERSION = "3.1"
export const ADCP_MAJOR = 3

export type Arguments = Readonly<Record<string, unknown>>

export interface AdcpAnswer {
  /** "completed", or the code of the error. */
  readonly outcome: string
  readonly payload: Readonly<Record<string, unknown>>
  /** What the text of the result says after the message. */
  readonly lines: readonly string[]
  /** What `get_products` was asked for, for the operator. */
  readonly demand: Demand | null
}

export interface Demand {
  readonly brief: string | null
  readonly channels: readonly string[]
  readonly countries: readonly string[]
  /** Products in the named channels and countries. */
  readonly matched: number
}

interface AnswerExtras {
  readonly lines?: readonly string[]
  readonly demand?: Demand
}

export const completed = (
  message: string,
  fields: Readonly<Record<string, unknown>>,
  args: Arguments,
  { lines = [], demand }: AnswerExtras = {},
): AdcpAnswer => ({
  outcome: "completed",
  payload: { adcp_version: ADCP_VERSION, status: "completed", message, ...fields, ...contextOf(args) },
  lines,
  demand: demand ?? null,
})

/** `required` are fields that the response schema wants even in a failed answer. */
export const failed = ({ body }: AdcpError, args: Arguments, required: object = {}): AdcpAnswer => ({
  outcome: body.code,
  payload: {
    adcp_version: ADCP_VERSION,
    status: "failed",
    message: body.message,
    adcp_error: body,
    errors: [body],
    ...required,
    ...contextOf(args),
  },
  lines: [],
  demand: null,
})

/** The caller's context comes back as it was sent. */
const contextOf = ({ context }: Arguments): object => (isObject(context) ? { context } : {})

export interface Pagination {
  readonly has_more: boolean
  readonly cursor?: string
  readonly total_count: number
}

export type PageRequest = Static<typeof PageInput>

/** Identifies a list by its caller and by the arguments that decide what's in it. A cursor only continues this list. */
export const bindingOf = (caller: string, deciding: Readonly<Record<string, unknown>>): string =>
  digestOf(caller, canonicalJson(deciding))

/** A page of a list. The cursor has the ID of the last entry, so that changes between two pages skip nothing. */
export function pageOf<Item>(
  list: readonly Item[],
  idOf: (item: Item) => string,
  { cursor, max_results: size = PAGE_RESULTS_DEFAULT }: PageRequest,
  binding: string,
): { readonly items: readonly Item[]; readonly pagination: Pagination } {
  const start = cursor === undefined ? 0 : startAfter(list, idOf, readCursor(cursor, binding))
  const items = list.slice(start, start + size)
  const end = start + items.length
  const last = items.at(-1)
  const hasMore = end < list.length && last !== undefined
  const next = hasMore ? { cursor: cursorAfter({ index: end, id: idOf(last) }, binding) } : {}
  return { items, pagination: { has_more: hasMore, ...next, total_count: list.length } }
}

/** How to get the rest, in words. Nothing on the last page. */
export const nextPageLines = ({ cursor }: Pagination): string[] =>
  cursor === undefined ? [] : [`For more, repeat the call with pagination {"cursor": "${cursor}"}.`]

/** "3 of 20 products" or "1 product". */
export function countText(listed: number, total: number, noun: string): string {
  const all = total === 1 ? `1 ${noun}` : `${total} ${noun}s`
  return listed < total ? `${listed} of ${all}` : all
}

/** Where a page ended: how many entries came before, and the ID of the last one. */
interface PageEnd {
  readonly index: number
  readonly id: string
}

const cursorAfter = ({ index, id }: PageEnd, binding: string): string =>
  Buffer.from(JSON.stringify([binding, index, id])).toString("base64url")

function startAfter<Item>(list: readonly Item[], idOf: (item: Item) => string, { index, id }: PageEnd): number {
  const at = list.findIndex((item) => idOf(item) === id)
  return at < 0 ? Math.max(0, index - 1) : at + 1
}

function readCursor(cursor: string, binding: string): PageEnd {
  const [bound, index, id] = partsOf(cursor)
  if (bound === binding && Number.isSafeInteger(index) && Number(index) > 0 && typeof id === "string")
    return { index: Number(index), id }
  const message = "pagination.cursor doesn't belong to this request; start without it"
  throw brokenRule("/pagination/cursor", message)
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
