import { keepJson } from "../../domain/adcp/json.ts"
import { cacheBytes, type ToolAnswer } from "./result.ts"

// A tool's answer depends only on the caller's view of the catalogue and on the arguments. Calls that repeat are answered from this cache
// for as long as the view lives. The caller's context is added afterwards.

const DECIDING_CHARACTERS_MAX = 2_000
const CACHED_BYTES_MAX = 16_000_000
const SEEN_MAX = 1_000

export type AnswerCache = ReturnType<typeof answerCache>

export function answerCache(bytesMax = CACHED_BYTES_MAX) {
  let byView = new WeakMap<object, OfView>()
  let held = 0

  function ofView(view: object): OfView {
    const answers = byView.get(view) ?? { answers: new Map(), seen: new Set() }
    byView.set(view, answers)
    return answers
  }

  function makeRoom(wanted: number): void {
    held += wanted
    if (held <= bytesMax) return
    // Clearing everything is rare and cheap; tracking the least used would cost every call.
    byView = new WeakMap()
    held = wanted
  }

  return {
    get: (view: object, key: string): ToolAnswer | undefined => byView.get(view)?.answers.get(key),
    /** Call it with every new answer. It is cached when the same call comes again: most come only once. */
    add(view: object, key: string, answer: ToolAnswer): void {
      if (isNew(key, ofView(view).seen)) return
      const { result } = answer
      makeRoom(key.length + cacheBytes(result))
      // A context makes a new result, which reuses this part.
      keepJson(result.content)
      ofView(view).answers.set(key, answer)
    },
  }
}

/** What is kept for a caller, and freed with the view. */
interface OfView {
  readonly answers: Map<string, ToolAnswer>
  /** Digests of the calls: most come only once, and their texts would fill the memory. */
  readonly seen: Set<number>
}

function isNew(key: string, seen: Set<number>): boolean {
  const digest = Bun.hash.crc32(key)
  if (seen.has(digest)) return false
  if (seen.size >= SEEN_MAX) seen.clear()
  seen.add(digest)
  return true
}

/** The cache key of a call whose answer these arguments decide; undefined for calls too long to cache. */
export const callKey = (tool: string, deciding: string): string | undefined =>
  deciding.length <= DECIDING_CHARACTERS_MAX ? `${tool} ${deciding}` : undefined
