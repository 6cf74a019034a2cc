import { canonicalJson, digestOf } from "../json.ts"
import { type AdcpError, brokenRule } from "./answer.ts"
import { PAGE_RESULTS_DEFAULT } from "./input.ts"

export interface Page<Item> {
  items: readonly Item[]
  pagination: { has_more: boolean; cursor?: string; total_count: number }
}

/** Identifies the caller and all arguments that decide the list: a cursor is valid only for these. */
export function bindingOf(caller: string, args: Record<string, unknown>, deciding: readonly string[]): string {
  const parts = deciding.map((name): [string, unknown] => [name, args[name]])
  return digestOf(caller, canonicalJson(Object.fromEntries(parts)))
}

/** A page of a list. A cursor has the id of the last entry shown, so that changes skip nothing; one page alone needs no binding. */
export function pageOf<Item>(
  list: readonly Item[],
  idOf: (item: Item) => string,
  request: { pagination?: { max_results?: number; cursor?: string } },
  binding: () => string,
): Page<Item> | AdcpError {
  const { cursor, max_results: size = PAGE_RESULTS_DEFAULT } = request.pagination ?? {}
  const start = cursor === undefined ? 0 : startAfter(list, idOf, cursor, binding())
  if (start === undefined) return foreignCursor()
  const items = list.slice(start, start + size)
  const end = start + items.length
  const last = items.at(-1)
  const more = end < list.length && last !== undefined
  return {
    items,
    pagination: {
      has_more: more,
      ...(more ? { cursor: cursorAt(end, idOf(last), binding()) } : {}),
      total_count: list.length,
    },
  }
}

export function foreignCursor(): AdcpError {
  const message = "pagination.cursor does not belong to this request; start without it"
  return brokenRule("/pagination/cursor", message, "rule")
}

/** How to get the rest, in words; nothing on the last page. */
export const nextPage = ({ pagination: { cursor } }: Page<unknown>): string[] =>
  cursor === undefined ? [] : [`For more, repeat the call with pagination {"cursor": "${cursor}"}.`]

export const cursorAt = (index: number, id: string, binding: string): string =>
  Buffer.from(JSON.stringify([binding, index, id])).toString("base64url")

function startAfter<Item>(list: readonly Item[], idOf: (item: Item) => string, cursor: string, binding: string) {
  const last = readCursor(cursor, binding)
  if (last === undefined) return undefined
  const at = list.findIndex((item) => idOf(item) === last.id)
  return at < 0 ? Math.max(0, last.index - 1) : at + 1
}

/** What the page before ended with; undefined for a cursor of another request. */
export function readCursor(cursor: string, binding: string): { index: number; id: string } | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"))
    const [bound, index, id] = Array.isArray(parts) ? parts : []
    return bound === binding && Number.isSafeInteger(index) && index > 0 && typeof id === "string"
      ? { index, id }
      : undefined
  } catch {
    return undefined
  }
}
