import { Command, CommanderError } from "commander"
import { version } from "../../package.json"
import { SERVER_OPTIONS, SETTINGS, type SettingName } from "../config.ts"
import { maskKeys } from "../domain/api-key.ts"
import { messageOf, UserError } from "../domain/errors.ts"
import { editDistance } from "../domain/text.ts"
import { isUnavailable } from "../storage/database.ts"
import { examples, type Given, Interrupted, type Program, settingsFor, UsageError } from "./context.ts"
import { printable, ReaderGone, say } from "./print.ts"

/** The command whose words are most like the typed ones, such as "user setup-link" for "setup-link". */
function nearestCommand(root: Command, args: readonly string[]): string {
  const typed = args.filter((word) => !word.startsWith("-")).slice(0, 2)
  const candidates = namesIn(root).map((name) => ({ name, distance: distanceTo(name, typed) }))
  const [nearest] = candidates.sort((one, other) => one.distance - other.distance)
  return nearest?.name ?? ""
}

/** The full names of all commands: "key create". */
function namesIn(command: Command, words: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(" ")]
  return command.commands.flatMap((below) => namesIn(below, [...words, below.name()]))
}

/** Either all words are compared, or the first typed word with each word of the command. */
function distanceTo(name: string, typed: readonly string[]): number {
  const [first = ""] = typed
  const words = name.split(" ").map((word) => editDistance(word, first))
  return Math.min(editDistance(name, typed.join(" ")), ...words)
}

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

const ALL = Object.keys(SETTINGS) as SettingName[]

const NOTE = `
Every option except --demo can also be set in the environment, such as --public-url as
ADBOOTH_PUBLIC_URL. A variable that ends with _FILE names a file with the value.`

/** Adds `adbooth serve`. */
export function registerServe(root: Command, program: Program): void {
  const serve = root
    .command("serve")
    .summary("start the server")
    .description("Start the server: ingest API, sales agent and web app on one address.")
    .option("--demo", "serve sample data from a temporary database; your own data isn't touched")
    .addHelpText("after", NOTE)
    .addHelpText(
      "after",
      examples(
        "serve --demo",
        "serve --domain ads.example.com",
        "serve --public-url https://ads.example.com --trust-proxy 127.0.0.1",
        "serve --backup-every 24h --backup-keep 14",
      ),
    )
    .action(async (given: Given) => {
      const { config, warnings } = settingsFor(given, ALL, process.env)
      await program.serve(config, { warnings, isDemo: given["demo"] === true })
    })
  for (const option of SERVER_OPTIONS) serve.addOption(option)
}
