import type { PackageId } from "../campaign/line.ts"
import type { PacedLine } from "../campaign/line-state.ts"
import type { NameAnswer } from "./upload.ts"

/** A line of the seller, as files know it. */
export interface FileLine extends PacedLine {
  readonly id: number
  readonly packageId: PackageId
  readonly name: string
  /** The seller's own ID. */
  readonly externalId: string | null
}

/** The line that a text in a file stands for. Null if there is none, or more than one. */
export type LineFinder = (text: string) => FileLine | null

/**
 * Finds lines by their ID, by the seller's own ID, by their name in any case, and by what people answered for a name.
 * Similar names aren't matched.
 */
export function lineFinder(lines: readonly FileLine[], answers: ReadonlyMap<string, NameAnswer>): LineFinder {
  const byPackageId = new Map(lines.map((line) => [line.packageId, line]))
  const byOwnId = Map.groupBy(lines, ({ externalId }) => externalId ?? "")
  const byName = Map.groupBy(lines, ({ name }) => name.toLowerCase())
  const found = new Map<string, FileLine | null>()

  function find(text: string): FileLine | null {
    // An answer takes precedence, because it also settles which of two lines with the same name is meant.
    const answered = byPackageId.get(answers.get(text) ?? "")
    if (answered !== undefined) return answered
    const lowerCase = text.toLowerCase()
    const candidates = new Set([
      ...[byPackageId.get(lowerCase) ?? []].flat(),
      ...(byOwnId.get(text) ?? []),
      ...(byName.get(lowerCase) ?? []),
    ])
    const [only] = candidates
    return candidates.size === 1 && only !== undefined ? only : null
  }

  return (text) => {
    if (text === "") return null
    return found.getOrInsertComputed(text, () => find(text))
  }
}
