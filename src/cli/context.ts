import { existsSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createInterface } from "node:readline"
import { isatty } from "node:tty"
import type { Command } from "commander"
import type { Context, Services } from "../actions/context.ts"
import {
  type Config,
  DATA_OPTIONS,
  type Environment,
  optionsOf,
  type ReadConfig,
  readConfig,
  type SettingName,
} from "../config.ts"
import { codeOf, messageOf, UserError } from "../domain/errors.ts"
import type { SettingKind } from "../domain/operations/setting-kinds.ts"
import type { Log } from "../log.ts"
import { organizationBySlug } from "../storage/organizations.ts"
import { databaseFile } from "../storage/sqlite/directory.ts"
import { isErrorTerminal, printable, say } from "./print.ts"

/** What main.ts hands over, because the command line imports neither the server nor its jobs. */
export interface Program {
  serve(config: Config, options: { readonly warnings: readonly string[]; readonly isDemo: boolean }): Promise<void>
  openContext(config: Config, options: { readonly mayCreate: boolean }): Promise<Context>
  /** For commands that must work without a database. */
  services(config: Config): Promise<Pick<Services, "bucket" | "backups">>
  log(config: Config): Promise<Log>
  versions(): Promise<Readonly<Record<string, string>>>
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

/** The person pressed Ctrl-C at a question. The command exits with code 130 and prints nothing. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
}

/** The options as commander hands them over. */
export type Given = Readonly<Record<string, unknown>>

const DATA: readonly SettingName[] = ["data", "databaseUrl"]
const LINKS: readonly SettingName[] = ["publicUrl", "host", "port"]

/** Adds the options that say where the data is, and --json. */
export function onData(command: Command): Command {
  for (const option of DATA_OPTIONS) command.addOption(option)
  return withJson(command)
}

export const withJson = (command: Command): Command => command.option("--json", "print one JSON document")

/** The same for commands that print links. */
export function withLinks(command: Command): Command {
  for (const option of optionsOf(["publicUrl"])) command.addOption(option)
  return onData(command)
}

/** Examples below the help of a command. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  adbooth ${line}\n`).join("")}`.trimEnd()

/** Reads the text of an option. Throws if it breaks the rule of its kind. */
export function readOption<Value>(option: string, { read, rule }: SettingKind<Value>, text: string): Value {
  const value = read(text)
  if (value === null) throw new UsageError(`${option} ${rule}, not "${text}".`)
  return value
}

/** The settings in force. A problem with one of these is a wrong command line, others don't concern the command. */
export function settingsFor(
  given: Given,
  names: readonly SettingName[] = [...DATA, ...LINKS],
  environment = environmentFor(given),
): ReadConfig {
  const read = readConfig(given, environment)
  const problems = read.problems.filter(({ setting }) => names.includes(setting))
  if (problems.length > 0) throw new UsageError(problems.map(({ text }) => text).join("\n"))
  return read
}

// Where the Debian package and deploy/adbooth.service keep everything.
const SERVICE_DATA = "/var/lib/adbooth"
const SERVICE_SETTINGS = "/etc/adbooth.env"

/** On a machine with the service and without ./data, commands are about the service and use its settings. */
function environmentFor(given: Given): Environment {
  const { config, shown } = readConfig(given, process.env)
  const isChosen = config.databaseUrl !== null || shown.data.from !== "default"
  if (isChosen || existsSync(databaseFile(config.data)) || !existsSync(SERVICE_DATA)) return process.env
  if (isErrorTerminal()) say(`There is no ${config.data} here, so this is about ${SERVICE_DATA}.`)
  return { ADBOOTH_DATA: SERVICE_DATA, ...variablesIn(SERVICE_SETTINGS), ...process.env }
}

/** Reads NAME=value lines, quoted or not, as systemd does. A file that the user may not read is ignored. */
function variablesIn(file: string): Environment {
  try {
    const lines = readFileSync(file, "utf8").matchAll(/^[ \t]*(ADBOOTH_\w+)=(["']?)(.*?)\2[ \t]*$/gm)
    return Object.fromEntries([...lines].map(([, name = "", , value = ""]) => [name, value]))
  } catch {
    return {}
  }
}

interface DataOptions {
  /** Whether a missing database is created. */
  readonly mayCreate?: boolean
}

/** Opens the database that the options name, beside a server if one runs, and closes it afterwards. */
export async function withData<Result>(
  program: Program,
  given: Given,
  work: (context: Context) => Promise<Result>,
  { mayCreate = false }: DataOptions = {},
): Promise<Result> {
  const { config, warnings } = settingsFor(given)
  for (const warning of warnings) say(warning)
  const context = await program.openContext(config, { mayCreate })
  try {
    return await work(context)
  } finally {
    await context.database.close()
  }
}

/** The ID of the organization with this slug. Null without one. */
export async function organizationId({ database }: Context, slug: string | undefined): Promise<number | null> {
  if (slug === undefined) return null
  const organization = await organizationBySlug(database.read, slug)
  if (organization === null) throw new UserError(`Unknown organization "${slug}". "adbooth export" shows all of them.`)
  return organization.id
}

/** Asks before something is changed. Throws unless the answer is yes. */
export async function confirm(question: string, isConfirmed: boolean | undefined): Promise<void> {
  if (isConfirmed) return
  if (!isatty(0) || !isErrorTerminal())
    throw new UsageError(
      `${question}\nCan't ask for confirmation without a terminal. Nothing was changed. Add --yes to continue.`,
    )
  const answer = await ask(`${printable(question)} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new UserError("Nothing was changed.")
}

/** The question goes to standard error, because a program may read the output. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  terminal.on("SIGINT", () => reject(new Interrupted()))
  // Ctrl-D gives no answer.
  terminal.on("close", () => resolve(""))
  terminal.question(question, resolve)
  return promise.finally(() => terminal.close())
}

/** Reads the named file, or standard input for "-". */
export async function readNamed(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await (file === "-" ? Bun.stdin.bytes() : readFile(file)))
  } catch (cause) {
    const explain = EXPLANATIONS[codeOf(cause)] ?? ((name: string) => `${name} can't be read: ${messageOf(cause)}.`)
    throw new UserError(explain(file), { cause })
  }
}

const EXPLANATIONS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}.`,
  ENOTDIR: (file) => `There is no file ${file}.`,
  EACCES: (file) => `You don't have permission to read ${file}.`,
  EISDIR: (file) => `${file} is a folder. Name a file.`,
}
