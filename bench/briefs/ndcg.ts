import type { Judged } from "./judged.ts"

const PLACES = 5

/** How much of the best possible order the first five places hold, from 0 to 1 (nDCG@5). */
export function ndcg(ids: readonly string[], { grades }: Judged): number {
  const ideal = [...grades.values()].sort((a, b) => b - a)
  return gain(ids.map((id) => grades.get(id) ?? 0)) / gain(ideal)
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, PLACES).reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0)
}
