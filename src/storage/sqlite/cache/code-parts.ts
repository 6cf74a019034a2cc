import { setImmediate as nextTurn } from "node:timers/promises"
import type { Connection } from "../engine/connection.ts"

/** How many affiliate codes make one part: others are served after each. */
export const CODES_AT_ONCE = 100

// The answer for thousands of codes takes a few megabytes.
const QUESTIONS_MAX = 8

interface Question {
  readonly parts: Map<number, unknown>
  /** The whole answer; undefined where a part has changed since. */
  whole: unknown
  /** How often codes have changed. */
  changes: number
}

/** Answers about all affiliate codes, computed for some codes at a time and kept until one of these codes changes. */
export interface CodeParts {
  /**
   * The answer to a question. `compute` is called for every part that is not known, with its first code; `merge` puts all parts
   * together. The answer is kept: nobody may change it.
   */
  answer<Part, Whole>(
    question: string,
    compute: (firstCode: number) => Part,
    merge: (parts: readonly Part[]) => Whole,
  ): Promise<Whole>
  /** Call it with the codes whose figures are written. */
  changed(codeIds: Iterable<number>): void
  /** Call it when codes are added or edited. */
  clear(): void
}

export function codeParts({
  database,
  caches,
  reading,
}: Pick<Connection, "database" | "caches" | "reading">): CodeParts {
  const lastCode = database.query<{ id: number }, []>("SELECT id FROM affiliate_code ORDER BY id DESC LIMIT 1")
  const questions = caches.map<string, Question>()

  function asked(name: string): Question {
    const known = questions.get(name) ?? { parts: new Map(), whole: undefined, changes: 0 }
    // The one that was asked last is dropped last.
    questions.delete(name)
    questions.set(name, known)
    for (const oldest of [...questions.keys()].slice(0, -QUESTIONS_MAX)) questions.delete(oldest)
    return known
  }

  return {
    async answer<Part, Whole>(
      name: string,
      compute: (firstCode: number) => Part,
      merge: (parts: readonly Part[]) => Whole,
    ) {
      reading.join()
      const count = Math.ceil((lastCode.get()?.id ?? 0) / CODES_AT_ONCE)
      const known = asked(name)
      const { changes } = known
      if (known.whole !== undefined && known.parts.size === count) return known.whole as Whole
      const parts: Part[] = []
      for (let number = 0; number < count; number += 1) {
        const before = known.parts.get(number)
        parts.push((before ?? compute(1 + number * CODES_AT_ONCE)) as Part)
        if (before !== undefined) continue
        known.parts.set(number, parts[number])
        await nextTurn()
        reading.join()
      }
      const whole = merge(parts)
      // A part may have changed after it was read here.
      if (known.changes === changes && known.parts.size === count) known.whole = whole
      return whole
    },
    changed(codeIds) {
      if (questions.size === 0) return
      const numbers = new Set<number>()
      for (const id of codeIds) numbers.add(Math.floor((id - 1) / CODES_AT_ONCE))
      for (const known of questions.values()) {
        known.whole = undefined
        known.changes += 1
        for (const number of numbers) known.parts.delete(number)
      }
    },
    clear: () => questions.clear(),
  }
}
