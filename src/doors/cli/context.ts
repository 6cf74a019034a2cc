import { type Command, Option } from "commander"
import type { Context } from "../../actions/context.ts"
import type { Config, Environment, ResolvedSettings, SettingName, StorageConfig } from "../../config.ts"
import { isReadFromFile, resolveSettings, SETTINGS, usesPostgres } from "../../config.ts"
import type { StoredCopy } from "../../domain/operations/bucket.ts"
import { FORMER_OPTIONS } from "../../domain/operations/former-settings.ts"
import type { UserError } from "../../domain/user-error.ts"
import type * as copies from "../../storage/port/copies.ts"
import type { OpenStore } from "../../storage/port/store.ts"
import { UsageError } from "./arguments.ts"
import type { Io } from "./io.ts"

/** The service of the Debian package, or of deploy/adbooth.service. */
export interface Installed {
  readonly data: string
  /** The settings in its file. */
  readonly environment: Environment
  /** That file; null where there is none. */
  readonly settingsFile: string | null
}

/** Asked once the backup is verified and there is data in its place, which is kept in another file. */
type MayReplace = () => Promise<boolean>

/** What main.ts provides to the command line. */
export interface CliContext {
  readonly io: Io
  readonly environment: Environment
  readonly clock: Context["clock"]
  readonly random: Context["random"]
  /** Opens the store that the settings name; without `create`, only an existing one. */
  openStore(place: StorageConfig, how: { readonly create: boolean }): Promise<OpenStore>
  /** The service of this machine, where there is one and no data here; null otherwise. */
  installed(): Installed | null
  /** Whether the store is in a data directory and of this very version, so that opening it changes nothing. */
  hasCurrentDatabase(place: StorageConfig): boolean
  /** Throws where the settings name a data directory without a database. */
  refuseMissing(place: StorageConfig): void
  /** A message for people about a failure of the database; null for any other failure. */
  databaseUserError(cause: unknown): UserError | null
  serve(
    config: Config,
    how: Pick<ResolvedSettings, "warnings" | "settings" | "moved"> & { readonly demo: boolean },
  ): Promise<void>
  /** Writes a verified copy of the database to a file, or piece by piece to a function; packed, if asked for. */
  backUp(place: StorageConfig, to: string | ((bytes: Uint8Array) => void), isPacked: boolean): Promise<copies.Backup>
  /** Verifies a backup as a restore would, and changes nothing. */
  checkBackup(file: string): Promise<copies.VerifiedBackup>
  /** Everything as it is now, to be written down in another form. */
  readEverything(place: StorageConfig): Promise<copies.Everything>
  /** Replaces the database with a verified backup, or with an export of everything. */
  restore(
    place: StorageConfig,
    file: string,
    how: { readonly mayReplace: MayReplace; readonly input?: AsyncIterable<Uint8Array> | undefined },
  ): Promise<copies.Restored>
  readonly backups: {
    here(config: Config): Promise<readonly StoredCopy[]>
    makeFolder(config: Config): string
    /** Null where there is no bucket. */
    inBucket(config: Config): Promise<readonly StoredCopy[] | null>
    /** The path of a backup, or its content from the bucket. */
    find(config: Config, named: string): Promise<string | AsyncIterable<Uint8Array>>
  }
  /** Compares with the copy from before the last upgrade, and goes back to it if asked to. */
  rollback(place: StorageConfig, how: { readonly apply: boolean }): Promise<copies.Rollback>
  /** Copies everything from one data directory or database URL to an empty one. */
  move(from: string, to: string, options: copies.MoveOptions): Promise<copies.Moved>
  diskFreeBytes(place: StorageConfig): Promise<number>
  /** The folder that other users must not read; null where it holds no database. */
  secretFolder(place: StorageConfig): string | null
  /** Permission bits of a file or folder; null on Windows, and for null. */
  modeOf(path: string | null): Promise<number | null>
  wait(seconds: number): Promise<void>
  /** A signal that is aborted with a TimeoutError after this time. */
  deadline(seconds: number): AbortSignal
  /**
   * Aborted when SIGINT, SIGTERM or SIGHUP arrives, with the exit code as its reason. After the first call the command must end by
   * itself; a second signal kills it.
   */
  stopSignal(): AbortSignal
  versions(): Readonly<Record<string, string>>
}

export type CommonOptions = Readonly<{ json?: boolean }>

export const ALL_SETTINGS = Object.keys(SETTINGS) as SettingName[]

export function withSettings(command: Command, names: readonly SettingName[]): void {
  for (const name of names) {
    const { option, placeholder, help, fallback, group, isSecret } = SETTINGS[name]
    if (isReadFromFile(SETTINGS[name])) {
      const file = new Option(`--${option}-file <FILE>`, `file that holds it: ${help}`).helpGroup(`${group}:`)
      command.addOption(file)
    }
    if (isSecret) continue
    const text = fallback === null || Array.isArray(fallback) ? "" : ` (default: ${String(fallback)})`
    command.addOption(
      new Option(`--${option}${placeholder === "" ? "" : ` <${placeholder}>`}`, help + text).helpGroup(`${group}:`),
    )
  }
}

/** Options of an earlier build, which a unit file may still have. resolveSettings says what to do about each. */
export function withFormerOptions(command: Command): void {
  for (const option of FORMER_OPTIONS) command.addOption(new Option(`--${option} <VALUE>`).hideHelp())
}

/** The settings in force; throws a UsageError for invalid ones. */
export function settingsOf(context: CliContext, options: object): ResolvedSettings {
  const result = resolveSettings(options as Record<string, unknown>, context.environment)
  if (result.problems.length > 0) throw new UsageError(result.problems.join("\n"))
  return result
}

/** The same for a command: it finds the data and the settings of the service, and says so. */
export function settingsForData(context: CliContext, options: object): ResolvedSettings {
  const result = settingsOf(context, options)
  const isElsewhere = usesPostgres(result.config) || result.settings.data.from !== "default"
  const installed = isElsewhere ? null : context.installed()
  if (installed === null) return result
  const environment = { ADBOOTH_DATA: installed.data, ...installed.environment, ...context.environment }
  const ofService = settingsOf({ ...context, environment }, options)
  if (context.io.isTerminal) context.io.err(`There is no ./data here, so this is about ${installed.data}.\n`)
  return ofService
}

/** Runs `work` on the store that the settings name, and closes it afterwards. */
export async function onStore<Result>(
  context: CliContext,
  options: object,
  work: (context: Context, config: Config) => Promise<Result>,
  how = { create: false },
): Promise<Result> {
  const { config, warnings } = settingsForData(context, options)
  for (const warning of warnings) context.io.err(`${warning}\n`)
  await using store = await context.openStore(config, how)
  return await work({ store, clock: context.clock, random: context.random }, config)
}
