import { type Argument, type Command, type CommanderError, Help, type Option } from "commander"
import { UsageError } from "./arguments.ts"
import { coloured } from "./output/text.ts"

/** What the help of a command says below its options. */
export type Extras = Readonly<{
  examples?: readonly Example[]
  notes?: readonly string[]
  /** What somebody may have meant with a word that is no command of the group. */
  meant?: string
}>

/** A command line without "adbooth", and what it does. */
export type Example = readonly [command: string, purpose?: string]

const extras = new WeakMap<Command, Extras>()

export function explained(command: Command, more: Extras): Command {
  extras.set(command, more)
  return command
}

export function helpFormat({ hasColours }: { readonly hasColours: boolean }): Partial<Help> {
  const title = (text: string) => coloured(text, "bold", hasColours)
  return {
    showGlobalOptions: false,
    styleTitle: title,
    commandUsage: usageOf,
    commandDescription: (command) => sentence(command.description()),
    // The list of all commands is easier to read without their arguments.
    subcommandTerm: (command) =>
      [command.name(), ...(command.parent?.parent ? command.registeredArguments.map(argumentTerm) : [])].join(" "),
    argumentTerm: (argument) => argumentTerm(argument),
    argumentDescription: (argument) => withFacts(argument.description, choicesOf(argument.argChoices)),
    optionDescription,
    // A command that only has others below it takes none but --help.
    visibleOptions: (command) => (isGroup(command) ? [] : new Help().visibleOptions(command)),
    formatHelp(command, helper) {
      const text = Help.prototype.formatHelp.call(helper, command, helper)
      return text + extrasOf(command, helper, title)
    },
  }
}

/** Whether it only has others below it, and does nothing by itself. */
export const isGroup = ({ commands }: Command): boolean => commands.length > 0

/** "adbooth key create --org <SLUG> --label <TEXT> [options]". */
export function usageOf(command: Command): string {
  const names: string[] = []
  for (let step: Command | null = command; step !== null; step = step.parent) names.unshift(step.name())
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags)
  const given = command.registeredArguments.map(argumentTerm)
  const rest = isGroup(command) ? ["<command>"] : []
  return [...names, ...rest, ...given, ...needed, "[options]"].join(" ")
}

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "")
  return argument.required ? `<${name}>` : `[${name}]`
}

function optionDescription({ description, mandatory, defaultValue, argChoices }: Option): string {
  const isShown = defaultValue !== undefined && typeof defaultValue !== "boolean"
  const fallback = isShown ? [`default: ${String(defaultValue)}`] : []
  return withFacts(description, [...(mandatory ? ["required"] : []), ...choicesOf(argChoices), ...fallback])
}

const choicesOf = (choices: readonly string[] | undefined) => (choices ? [`one of ${choices.join(", ")}`] : [])

const withFacts = (description: string, facts: readonly string[]): string =>
  facts.length === 0 ? description : `${description} (${facts.join("; ")})`

const sentence = (text: string): string =>
  text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`

const EXAMPLES_OF_GROUP = 4

/** Those of the command. A group of commands shows the first example of each, as far as there is room. */
function examplesOf(command: Command): readonly Example[] {
  const { examples = command.commands.flatMap((below) => examplesOf(below).slice(0, 1)) } = extras.get(command) ?? {}
  return isGroup(command) ? examples.slice(0, EXAMPLES_OF_GROUP) : examples
}

function extrasOf(command: Command, helper: Help, title: (text: string) => string): string {
  const { notes = [] } = extras.get(command) ?? {}
  const examples = examplesOf(command)
  const width = helper.helpWidth ?? 80
  const paragraphs = notes.map((note) => `${helper.boxWrap(note, width)}\n\n`)
  const lines = examples.map(([line, purpose]) => {
    const why = purpose === undefined ? "" : helper.boxWrap(`# ${purpose}`, width - 2).replace(/^/gm, "  ")
    return `${why}${why === "" ? "" : "\n"}  adbooth ${line}\n`
  })
  const listed = lines.length === 0 ? "" : `${title("Examples:")}\n${lines.join("")}`
  const all = `${paragraphs.join("")}${listed}`.trimEnd()
  return all === "" ? "" : `\n${all}\n`
}

// Commander's messages in our words: first the thing, then what is wrong with it, as all other messages have it.
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [/^missing required argument '(.+)'$/, "$1 is missing."],
  [/^option '(\S+).*' argument missing$/, "$1 needs a value."],
  [/^unknown (option|command) '(.+)'\n\(Did you mean (.+)\?\)$/s, 'There is no $1 "$2". Did you mean $3?'],
  [/^unknown (option|command) '(.+)'$/, 'There is no $1 "$2".'],
  [/^too many arguments.*$/s, "There are too many arguments."],
  [
    /^(?:option|command-argument value) '(?:(\S+).*' argument ')?(.+)' is invalid(?: for argument '(.+)')?\. Allowed choices are (.+)\.$/,
    '$1$3 must be one of $4; it is "$2".',
  ],
]

/** What is wrong with the words of a command line, as commander found it. */
export function wrongUsage(command: Command, error: CommanderError): UsageError {
  if (error.code === "commander.missingMandatoryOptionValue") return new UsageError(missingOptions(command))
  const message = error.message.replace(/^error: /, "")
  if (error.code === "commander.unknownOption" && command.parent === null)
    return new UsageError(
      `${message.replace(/^unknown option '(.+?)'.*$/s, '"$1"')} comes after the command: adbooth COMMAND [options].`,
    )
  const { meant } = extras.get(command) ?? {}
  if (error.code === "commander.unknownCommand" && meant !== undefined && !message.includes("Did you mean"))
    return new UsageError(`${message.replace(/^.*?'(.+)'$/s, 'There is no command "$1".')} ${meant}`)
  const [pattern, words] = REWORDED.find(([wording]) => wording.test(message)) ?? [/^/, ""]
  return new UsageError(message.replace(pattern, words))
}

/** All of them at once: commander names only the first. */
const missingOptions = (command: Command): string =>
  command.options
    .filter((option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined)
    .map(({ flags }) => `${flags} is missing.`)
    .join("\n")

/** How the command is used, below what is wrong. */
export function usageHint(command: Command): string {
  const name = usageOf(command).split(/ [<[-]/)[0]
  return `Usage: ${usageOf(command)}\nHelp:  ${name} --help`
}
