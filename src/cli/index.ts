import { Command, CommanderError } from "commander"
import { version } from "../../package.json"
import { maskKeys } from "../domain/keys/api-key.ts"
import { messageOf, UserError } from "../domain/user-error.ts"
import { isUnavailable } from "../storage/errors.ts"
import { registerServe } from "./commands/serve.ts"
import { examples, Interrupted, type Program, UsageError } from "./context.ts"
import { nearestCommand } from "./nearest.ts"
import { isOutputClosed, printable, ReaderGone, say } from "./print.ts"

const EXIT_DONE = 0
const EXIT_FAILED = 1
const EXIT_USAGE = 2
const EXIT_INTERRUPTED = 130
// The exit code of a program that SIGPIPE ends.
const EXIT_READER_GONE = 141

const ABOUT = `Self-hosted ad sales and delivery reporting for small publishers.

Commands read and write the data directory (--data or ADBOOTH_DATA). You can run them while the server is running.`

/** Runs a command and returns its exit code. */
export async function runCommandLine(args: readonly string[], program: Program): Promise<number> {
  try {
    const root = await commandLine(program, args)
    await root.parseAsync(args, { from: "user" })
    return EXIT_DONE
  } catch (cause) {
    return explain(cause)
  }
}

async function commandLine(program: Program, args: readonly string[]): Promise<Command> {
  const root = new Command("adbooth")
    .description(ABOUT)
    .version(version, "-v, --version", "show the version")
    .configureOutput({
      writeErr: (text) => process.stderr.write(printable(maskKeys(text))),
      outputError: (text, write) => write(withNearest(text, args)),
    })
    // Otherwise commander ends the process by itself.
    .exitOverride()
    .hook("preAction", refuseClosedOutput)
    .addHelpText("after", examples("serve --demo", "serve", "doctor", "key create --help"))
  root.commandsGroup("Start:")
  registerServe(root, program)
  // A server starts faster and needs less memory without the others.
  if (args[0] !== "serve") (await import("./commands.ts")).registerOthers(root, program)

  /** Commander only suggests commands of the same group with similar letters. */
  function withNearest(text: string, typed: readonly string[]): string {
    if (!text.includes("unknown command") || text.includes("Did you mean")) return text
    return `${text.trimEnd()}\n(The nearest command is: adbooth ${nearestCommand(root, typed)})\n`
  }
  return root
}

/**
 * Checks this before doing anything, because a new key that can't be printed would be lost. A server needs no output.
 */
function refuseClosedOutput(_: Command, command: Command): void {
  if (command.name() !== "serve" && isOutputClosed())
    throw new UserError("Standard output is closed, so nothing was done. Redirect it to a file or to /dev/null.")
}

/** Says what went wrong, and returns the exit code. */
function explain(cause: unknown): number {
  if (cause instanceof ReaderGone) return EXIT_READER_GONE
  if (cause instanceof Interrupted) return EXIT_INTERRUPTED
  // Commander has already printed the error. Only errors of our own commands have an exit code of their own.
  if (cause instanceof CommanderError)
    return cause.exitCode === EXIT_DONE || cause.code === "commander.error" ? cause.exitCode : EXIT_USAGE
  if (cause instanceof UsageError) {
    say(cause.message, "red")
    return EXIT_USAGE
  }
  const isForPeople = cause instanceof UserError || isUnavailable(cause)
  say(isForPeople ? messageOf(cause) : `Unexpected error: ${messageOf(cause)}`, "red")
  return EXIT_FAILED
}
