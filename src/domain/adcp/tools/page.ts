import { PAGE_RESULTS_DEFAULT } from "../input.ts"
import { canonicalJson, digestOf } from "../text.ts"
import { brokenRule } from "./answer.ts"

export interface Pagination {
  readonly has_more: boolean
  readonly cursor?: string
  readonly total_count: number
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly pagination: Pagination
}

export interface PageRequest {
  readonly max_results?: number
  readonly cursor?: string
}

/** Identifies a list by its caller and by the arguments that decide what's in it. A cursor only continues this list. */
export const bindingOf = (caller: string, deciding: Readonly<Record<string, unknown>>): string =>
  digestOf(caller, canonicalJson(deciding))

/** A page of a list. The cursor has the ID of the last entry, so that changes between two pages skip nothing. */
export function pageOf<Item>(
  list: readonly Item[],
  idOf: (item: Item) => string,
  { cursor, max_results: size = PAGE_RESULTS_DEFAULT }: PageRequest,
  binding: string,
): Page<Item> {
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
