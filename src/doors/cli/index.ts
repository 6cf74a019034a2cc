import { Command, CommanderError } from "commander"
import { version } from "../../../package.json"
import { messageOf, UserError } from "../../domain/user-error.ts"
import { UsageError } from "./arguments.ts"
import type { CommandGroups } from "./commands/all.ts"
import { serveCommand } from "./commands/serve.ts"
import type { CliContext } from "./context.ts"
import { whereItWent } from "./former-names.ts"
import { explained, helpFormat, usageHint, wrongUsage } from "./help.ts"
import { Interrupted, ReaderGone } from "./io.ts"
import { coloured, messageSafe, safeIo } from "./output/text.ts"

const EXIT_DONE = 0
const EXIT_FAILED = 1
const EXIT_USAGE = 2
// The exit code of a program that SIGPIPE ended, as with "git log | head".
const EXIT_READER_GONE = 141

// Longer lines are hard to read.
const HELP_COLUMNS_MAX = 110

export function commandLine(context: CliContext, groups: CommandGroups): Command {
  const { io } = context
  const program = new Command("adbooth")
    .description("Reports, a sales agent and an app for small ad sellers, in one file.")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .enablePositionalOptions()
    .version(version, "-V, --version", "show the version")
    .configureHelp(helpFormat({ hasColours: io.outHasColours }))
    .configureOutput({
      writeOut(text) {
        needOutput(context)
        io.outStyled(text)
      },
      writeErr: (text) => io.err(text),
      // Printed when the command has ended, as all other errors are.
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth(context),
      getErrHelpWidth: () => helpWidth(context),
      getOutHasColors: () => io.outHasColours,
      getErrHasColors: () => io.errHasColours,
    })
    // Otherwise commander ends the process.
    .exitOverride()
  explained(program, {
    notes: [
      '"adbooth COMMAND --help" explains a command, "adbooth --version" shows the version. Commands work on the data directory (--data, or ADBOOTH_DATA), also while a server runs on it.',
    ],
    examples: [
      ["serve --demo", "try it: sample data in a temporary database"],
      ["serve", "serve your own data, in ./data"],
      ["doctor", "check that all is well"],
    ],
  })
  for (const [group, commands] of Object.entries(groups)) {
    program.commandsGroup(group)
    for (const add of commands) add(program, context)
  }
  // "adbooth help key create" is what people type, too.
  program
    .command("help", { hidden: true })
    .argument("[COMMAND...]")
    .allowUnknownOption()
    .action((words: string[]) =>
      words
        .filter((word) => !word.startsWith("-"))
        .reduce(below, program)
        .outputHelp(),
    )
  program.hook("preAction", (_, command) => {
    // A server prints nothing that is lost without an output.
    if (command.name() !== "serve") needOutput(context)
  })
  return program
}

const helpWidth = ({ io }: CliContext): number => Math.min(io.columns() ?? 80, HELP_COLUMNS_MAX)

/** Checked before the command runs: a new key that reaches nobody is worse than none. */
function needOutput({ io }: CliContext): void {
  if (io.outIsClosed)
    throw new UserError("Standard output is closed, so nothing was done. Redirect it to a file or to /dev/null.")
}

/** A server starts in less time without all the others, which it never runs. */
const groupsFor = async ([name]: readonly string[]): Promise<CommandGroups> =>
  name === "serve" ? { "Start:": [serveCommand] } : (await import("./commands/all.ts")).COMMANDS

/** Runs a command line and returns its exit code. Never throws, never shows a stack trace. */
export async function run(args: readonly string[], { io, ...parts }: CliContext): Promise<number> {
  const context = { ...parts, io: safeIo(io) }
  const program = commandLine(context, await groupsFor(args))
  try {
    const former = whereItWent(args[0] === "help" ? args.slice(1) : args)
    if (former !== null) throw new UsageError(former)
    await program.parseAsync(args, { from: "user" })
    return EXIT_DONE
  } catch (cause) {
    return explain(cause, named(program, args), { ...context, io })
  }
}

const childOf = (command: Command, word: string | undefined) => command.commands.find((child) => child.name() === word)

function named(command: Command, [word, ...rest]: readonly string[]): Command {
  const child = childOf(command, word)
  return child === undefined ? command : named(child, rest)
}

function below(command: Command, word: string): Command {
  const child = childOf(command, word)
  if (child === undefined) throw new UsageError(`There is no command "${word}".`)
  return child
}

/** Says what went wrong, and returns the exit code. `io` escapes nothing here: a message is escaped before it gets its colour. */
function explain(cause: unknown, command: Command, context: CliContext): number {
  const { io } = context
  const complain = (text: string, more = "") =>
    io.err(`${coloured(messageSafe(text), "red", io.errHasColours)}\n${messageSafe(more)}`)
  if (cause instanceof ReaderGone) return EXIT_READER_GONE
  if (cause instanceof Interrupted) {
    io.err(`${messageSafe(cause.message)}\n`)
    return cause.exitCode
  }
  if (cause instanceof CommanderError) {
    // It has already printed the help.
    if (cause.exitCode === 0) return EXIT_DONE
    if (cause.code === "commander.help") return EXIT_USAGE
    return explain(wrongUsage(command, cause), command, context)
  }
  const message = messageOf(cause)
  if (cause instanceof UsageError) {
    complain(message, `\n${usageHint(command)}\n`)
    return EXIT_USAGE
  }
  const userError = cause instanceof UserError ? cause : context.databaseUserError(cause)
  complain(userError?.message ?? `Unexpected error: ${message}`)
  return EXIT_FAILED
}
