import type { Command, CommanderError } from "commander"
import { UsageError } from "../usage-error.ts"
import { usageOf } from "./help.ts"

// Commander's messages in our words: first the thing, then what is wrong with it, as all other messages have it.
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [/^missing required argument '(.+)'$/, "$1 is missing."],
  [/^option '(\S+).*' argument missing$/, "$1 needs a value."],
  [/^unknown (option|command) '(.+)'\n\(Did you mean (.+)\?\)$/s, 'There is no $1 "$2". Did you mean $3?'],
  [/^unknown (option|command) '(.+)'$/, 'There is no $1 "$2".'],
  [/^too many arguments.*$/s, "There are more arguments than the command takes."],
  [
    /^(?:option|command-argument value) '(?:(\S+).*' argument ')?(.+)' is invalid(?: for argument '(.+)')?\. Allowed choices are (.+)\.$/,
    '$1$3 must be one of $4; it is "$2".',
  ],
]

/** What is wrong with the words of a command line, as commander found it. */
export function wrongUsage(command: Command, error: CommanderError): UsageError {
  if (error.code === "commander.missingMandatoryOptionValue") return new UsageError(missingOptions(command))
  const message = error.message.replace(/^error: /, "")
  const [pattern, words] = REWORDED.find(([one]) => one.test(message)) ?? [/^/, ""]
  return new UsageError(message.replace(pattern, words))
}

/** All of them at once: commander names only the first. */
function missingOptions(command: Command): string {
  return command.options
    .filter((option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined)
    .map(({ flags }) => `${flags} is missing.`)
    .join("\n")
}

/** How the command is used, below what is wrong. */
export function usageHint(command: Command): string {
  const name = usageOf(command).split(/ [<[-]/)[0]
  return `Usage: ${usageOf(command)}\nHelp:  ${name} --help`
}
