import { keepJson } from "../../domain/adcp/json-fragment.ts"
import type { Arguments } from "./mcp.ts"
import { resultJson, type ToolResult } from "./result.ts"
import { cacheBytes } from "./result-bytes-cache.ts"

// A tool's answer depends on what the caller may see and on the arguments, nothing else. Some questions are asked again and again, so
// their answers are kept as long as the caller's view is; the caller's context is put in afterwards.

const ARGUMENTS_CHARACTERS_MAX = 2_000
const KEPT_CHARACTERS_MAX = 16_000_000

export interface AnswerCache {
  get(view: object, question: string): ToolResult | undefined
  /** To be called with every answer that was made. It is kept when the question comes for the second time: most come once. */
  keep(view: object, question: string, result: ToolResult): void
}

export function answerCache(charactersMax = KEPT_CHARACTERS_MAX): AnswerCache {
  // Questions per view, those asked once without their answer; a view that nobody uses any more takes its answers with it.
  let byView = new WeakMap<object, Map<string, ToolResult | undefined>>()
  let characters = 0

  function makeRoom(wanted: number): void {
    characters += wanted
    if (characters <= charactersMax) return
    // Starting afresh is rare and cheap; keeping track of the least used would cost every call.
    byView = new WeakMap()
    characters = wanted
  }

  function keepSecond(view: object, question: string, result: ToolResult): void {
    const json = resultJson(result)
    makeRoom(question.length + json.length)
    cacheBytes(result, json)
    // For those who send a context, which makes another result of it.
    keepJson(result.content)
    byView.set(view, (byView.get(view) ?? new Map()).set(question, result))
  }

  return {
    get: (view, question) => byView.get(view)?.get(question),
    keep(view, question, result) {
      if (byView.get(view)?.has(question)) return keepSecond(view, question, result)
      makeRoom(question.length)
      byView.set(view, (byView.get(view) ?? new Map()).set(question, undefined))
    },
  }
}

/** One text for equal calls; undefined where keeping the answer would not pay. */
export function questionOf(tool: string, args: Arguments): string | undefined {
  const text = `${tool} ${JSON.stringify(args)}`
  return text.length <= ARGUMENTS_CHARACTERS_MAX ? text : undefined
}
