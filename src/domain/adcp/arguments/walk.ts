import { childPointer } from "../../schema/problem.ts"

type IsWanted = (name: string | number, value: unknown, pointer: string) => boolean

/** The pointer to the first matching field, at any depth, or null. `skipped` names outer fields to skip. */
export function findField(
  value: unknown,
  isWanted: IsWanted,
  skipped: readonly string[] = [],
  pointer = "",
): string | null {
  if (typeof value !== "object" || value === null) return null
  // A list has numbers as names, and making a text of each of them would take long.
  const names = Array.isArray(value) ? value.keys() : Object.keys(value)
  for (const name of names) {
    if (typeof name === "string" && skipped.includes(name)) continue
    const field = (value as Record<string | number, unknown>)[name]
    if (isWanted(name, field, pointer)) return childPointer(pointer, name)
    if (typeof field !== "object" || field === null) continue
    const found = findField(field, isWanted, [], childPointer(pointer, name))
    if (found !== null) return found
  }
  return null
}
