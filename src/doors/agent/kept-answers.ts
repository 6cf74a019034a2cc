import type { Arguments } from "./mcp.ts"
import { type ReadyJson, readyJson } from "./ready-json.ts"

// A tool's answer depends on what the caller may see and on the arguments, nothing else. Agents ask the same again and
// again, so the JSON of recent answers is kept as long as the caller's view is; the caller's context is put in afterwards.

const ARGUMENTS_CHARACTERS_MAX = 2_000
const KEPT_CHARACTERS_MAX = 16_000_000

export interface KeptAnswers {
  get(view: object, question: string): ReadyJson | undefined
  keep(view: object, question: string, result: string): void
}

export function keptAnswers(charactersMax = KEPT_CHARACTERS_MAX): KeptAnswers {
  // Questions per view; a view that nobody uses any more takes its answers with it.
  let byView = new WeakMap<object, Map<string, ReadyJson>>()
  let characters = 0
  return {
    get: (view, question) => byView.get(view)?.get(question),
    keep(view, question, result) {
      characters += question.length + result.length
      // Starting afresh is rare and cheap; keeping track of the least used would cost every call.
      if (characters > charactersMax) {
        byView = new WeakMap()
        characters = question.length + result.length
      }
      const answers = byView.get(view) ?? new Map<string, ReadyJson>()
      byView.set(view, answers.set(question, readyJson(result)))
    },
  }
}

/** One text for equal calls; undefined where keeping the answer would not pay. */
export function questionOf(tool: string, args: Arguments): string | undefined {
  const text = `${tool} ${JSON.stringify(args)}`
  return text.length <= ARGUMENTS_CHARACTERS_MAX ? text : undefined
}
