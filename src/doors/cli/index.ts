import { Command, CommanderError } from "commander"
import { version } from "../../../package.json"
import { UserError } from "../../domain/user-error.ts"
import { activityCommand } from "./commands/activity.ts"
import { agentKeyCommand } from "./commands/agent-key.ts"
import { backupCommand } from "./commands/backups/backup.ts"
import { backupScheduleCommand } from "./commands/backups/backup-schedule.ts"
import { checkBackupCommand } from "./commands/backups/check-backup.ts"
import { restoreCommand } from "./commands/backups/restore.ts"
import { callsCommand } from "./commands/calls.ts"
import { campaignCommand } from "./commands/campaign.ts"
import { completionCommand } from "./commands/completion.ts"
import { configCommand } from "./commands/config.ts"
import { demandCommand } from "./commands/demand.ts"
import { doctorCommand } from "./commands/doctor.ts"
import { exportCommand } from "./commands/export.ts"
import { healthCommand } from "./commands/health.ts"
import { importCommand } from "./commands/import.ts"
import { keyCommand } from "./commands/key.ts"
import { lineCommand } from "./commands/line.ts"
import { linesCommand } from "./commands/lines.ts"
import { moveCommand } from "./commands/move.ts"
import { openapiCommand } from "./commands/openapi.ts"
import { reportCommand } from "./commands/report.ts"
import { serveCommand } from "./commands/serve.ts"
import { setupLinkCommand } from "./commands/setup-link.ts"
import { userCommand } from "./commands/user.ts"
import { versionCommand } from "./commands/version.ts"
import type { CliContext } from "./context.ts"
import { Interrupted } from "./interrupted.ts"
import { ReaderGone } from "./io.ts"
import { safeIo } from "./terminal-safe.ts"
import { UsageError } from "./usage-error.ts"

const HELP_HINT = '("adbooth COMMAND --help" explains a command)'

const EXIT_DONE = 0
const EXIT_FAILED = 1
const EXIT_USAGE = 2
// The exit code of a program that SIGPIPE ended, as with "git log | head".
const EXIT_READER_GONE = 141

// The help lists them in this order: what a newcomer needs comes first.
const COMMANDS = [
  serveCommand,
  importCommand,
  exportCommand,
  keyCommand,
  agentKeyCommand,
  userCommand,
  setupLinkCommand,
  linesCommand,
  lineCommand,
  campaignCommand,
  reportCommand,
  callsCommand,
  activityCommand,
  demandCommand,
  backupCommand,
  backupScheduleCommand,
  checkBackupCommand,
  restoreCommand,
  moveCommand,
  doctorCommand,
  configCommand,
  openapiCommand,
  versionCommand,
  completionCommand,
  healthCommand,
]

export function commandLine(context: CliContext): Command {
  const program = new Command("adbooth")
    .description("Everything a small ad seller needs to be bought from by machines, in one file.")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [COMMAND]", "show help for a command")
    .version(version, "-V, --version", "show the version")
    .showHelpAfterError(HELP_HINT)
    .configureHelp({ showGlobalOptions: false })
    .addHelpText("after", "\nTry it:  adbooth serve --demo\nHelp for a command:  adbooth COMMAND --help")
  for (const add of COMMANDS) add(program, context)
  program.hook("preAction", (_, command) => refuseClosedOutput(command, context))
  program.exitOverride()
  program.configureOutput({ writeOut: (text) => printHelp(text, context), writeErr: (text) => context.io.err(text) })
  inherit(program)
  return program
}

// A server prints nothing that is lost without an output.
const WITHOUT_OUTPUT = ["serve"]

/** Checked before the command runs: a new key that reaches nobody is worse than none. */
function refuseClosedOutput(command: Command, context: CliContext): void {
  if (!WITHOUT_OUTPUT.includes(command.name())) needOutput(context)
}

function printHelp(text: string, context: CliContext): void {
  needOutput(context)
  context.io.out(text)
}

function needOutput({ io }: CliContext): void {
  if (io.outIsClosed)
    throw new UserError("Standard output is closed, so nothing was done. Redirect it to a file or to /dev/null.")
}

/** Commander copies these settings only to subcommands that are added later. */
function inherit(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    inherit(command)
  }
}

/** Runs a command line and returns its exit code. Never throws, never shows a stack trace. */
export async function run(args: readonly string[], { io, ...parts }: CliContext): Promise<number> {
  const context = { ...parts, io: safeIo(io) }
  try {
    await commandLine(context).parseAsync(args, { from: "user" })
    return EXIT_DONE
  } catch (cause) {
    return explain(cause, context)
  }
}

function explain(cause: unknown, { io, databaseUserError }: CliContext): number {
  if (cause instanceof ReaderGone) return EXIT_READER_GONE
  if (cause instanceof Interrupted) {
    io.err(`${cause.message}\n`)
    return cause.exitCode
  }
  // Commander has already printed its message.
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? EXIT_DONE : EXIT_USAGE
  const message = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof UsageError) {
    io.err(`${message}\n${HELP_HINT}\n`)
    return EXIT_USAGE
  }
  const userError = cause instanceof UserError ? cause : databaseUserError(cause)
  io.err(`${userError?.message ?? `Unexpected error: ${message}`}\n`)
  return EXIT_FAILED
}
