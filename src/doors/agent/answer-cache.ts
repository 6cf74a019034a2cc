import { keepJson } from "../../domain/adcp/json.ts"
import { cacheBytes, resultBytes, type ToolResult } from "./result.ts"

// A tool's answer depends only on the caller's view of the catalogue and on the arguments, of which a brief counts by what was
// understood of it. Calls that repeat are answered from this cache for as long as the view lives. The caller's context is added afterwards.

const DECIDING_CHARACTERS_MAX = 2_000
const CACHED_BYTES_MAX = 16_000_000

export interface AnswerCache {
  get(view: object, key: string): ToolResult | undefined
  /** Call it with every new answer. It is cached when the same call comes a second time: most come only once. */
  add(view: object, key: string, result: ToolResult): void
}

export function answerCache(bytesMax = CACHED_BYTES_MAX): AnswerCache {
  // By view, so that its answers are freed with it. A call seen once is stored without its answer.
  let byView = new WeakMap<object, Map<string, ToolResult | undefined>>()
  let held = 0

  function makeRoom(wanted: number): void {
    held += wanted
    if (held <= bytesMax) return
    // Clearing everything is rare and cheap; tracking the least used would cost every call.
    byView = new WeakMap()
    held = wanted
  }

  function store(view: object, key: string, result: ToolResult): void {
    const bytes = resultBytes(result)
    makeRoom(key.length + bytes.length)
    cacheBytes(result, bytes)
    // A context makes a new result, which reuses this part.
    keepJson(result.content)
    byView.set(view, (byView.get(view) ?? new Map()).set(key, result))
  }

  return {
    get: (view, key) => byView.get(view)?.get(key),
    add(view, key, result) {
      if (byView.get(view)?.has(key)) return store(view, key, result)
      makeRoom(key.length)
      byView.set(view, (byView.get(view) ?? new Map()).set(key, undefined))
    },
  }
}

/** The cache key of a call whose answer these arguments decide; undefined for calls too long to cache. */
export function callKey(tool: string, deciding: string): string | undefined {
  return deciding.length <= DECIDING_CHARACTERS_MAX ? `${tool} ${deciding}` : undefined
}
