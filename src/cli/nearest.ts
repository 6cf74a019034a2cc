import type { Command } from "commander"
import { editDistance } from "../domain/nearest-word.ts"

/** The command whose words are most like the typed ones, such as "user setup-link" for "setup-link". */
export function nearestCommand(root: Command, args: readonly string[]): string {
  const typed = args.filter((word) => !word.startsWith("-")).slice(0, 2)
  const candidates = namesIn(root).map((name) => ({ name, distance: distanceTo(name, typed) }))
  const [nearest] = candidates.sort((one, other) => one.distance - other.distance)
  return nearest?.name ?? ""
}

/** The full names of all commands: "key create". */
export function namesIn(command: Command, words: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(" ")]
  return command.commands.flatMap((below) => namesIn(below, [...words, below.name()]))
}

/** Either all words are compared, or the first typed word with each word of the command. */
function distanceTo(name: string, typed: readonly string[]): number {
  const [first = ""] = typed
  const words = name.split(" ").map((word) => editDistance(word, first))
  return Math.min(editDistance(name, typed.join(" ")), ...words)
}
