import type { Command } from "commander"

/** Completions of the last word, from the commands and options that commander knows. */
export function candidates(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? ""
  const command = words.slice(0, -1).reduce(descend, program)
  const names = command.commands.filter((one) => !isHidden(one)).map((one) => one.name())
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const options = command.options.map((option) => option.long ?? "").filter((name) => name !== "")
  const offered = last.startsWith("-") ? [...options, "--help"] : [...names, ...values]
  return offered.filter((name) => name.startsWith(last)).sort()
}

function descend(command: Command, word: string): Command {
  return command.commands.find((one) => one.name() === word) ?? command
}

function isHidden(command: Command): boolean {
  return command.name() === "complete-words"
}
