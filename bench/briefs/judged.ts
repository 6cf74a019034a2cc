import { join } from "node:path"

/** A brief with what a reasonable buyer would think of the products, from 0 (not named) to 3. */
export interface Judged {
  readonly brief: string
  readonly grades: ReadonlyMap<string, number>
}

/** The day on which the briefs are read. */
export const TODAY = "2026-11-16"

const text = await Bun.file(join(import.meta.dir, "judged.txt")).text()

/** Every brief of the file, in its order. */
export const judged: readonly Judged[] = text
  .split("\n\n")
  .filter((block) => !block.startsWith("#"))
  .map((block) => {
    const [brief = "", grades = ""] = block.trim().split("\n")
    return { brief, grades: new Map(grades.split(" | ").flatMap(gradeOf)) }
  })

function gradeOf(part: string): [string, number][] {
  const [grade, ...ids] = part.split(" ")
  return ids.map((id) => [id, Number(grade)])
}

/** To work with: every second brief from the first on. */
export const working = judged.filter((_, place) => place % 2 === 0)

/** To be looked at only when a change is finished. */
export const heldBack = judged.filter((_, place) => place % 2 === 1)
