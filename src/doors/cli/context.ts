import type { Command } from "commander"
import type { Context } from "../../actions/context.ts"
import type { Config, Environment, Settled } from "../../config.ts"
import { SETTINGS, type SettingName, settle } from "../../config.ts"
import type { Compression } from "../../domain/operations/backup.ts"
import type { UserError } from "../../domain/user-error.ts"
import type { OpenStore } from "../../storage/port/store.ts"
import type { Io } from "./io.ts"
import { UsageError } from "./usage-error.ts"

/** What the command line needs from the rest of the program; main.ts hands it in. */
export interface CliContext {
  readonly io: Io
  readonly environment: Environment
  readonly clock: Context["clock"]
  readonly random: Context["random"]
  /** Opens the store of a data directory; without `create`, only where there is one. */
  openStore(dataDirectory: string, how: { readonly create: boolean }): Promise<OpenStore>
  /** What a failure of the database means to people; null when it is none. */
  sqliteUserError(cause: unknown): UserError | null
  /** Runs the server until it is told to stop. */
  serve(config: Config, how: { readonly demo: boolean }): Promise<void>
  /** Copies the database of a data directory, checked and counted, to a file or piece by piece. */
  backUp(
    dataDirectory: string,
    to: string | ((bytes: Uint8Array) => void),
    compression: Compression,
  ): Promise<BackupMade>
  /** Puts a checked backup in the place of the database. */
  restore(
    dataDirectory: string,
    file: string,
    how: { readonly force: boolean; readonly input?: ReadableStream<Uint8Array> | undefined },
  ): Promise<RestoreDone>
  /** Free bytes on the disk that holds a directory. */
  diskFreeBytes(directory: string): Promise<number>
  /** Permission bits of a directory; null where there are none. */
  directoryMode(directory: string): Promise<number | null>
  /** Lets time pass. */
  wait(seconds: number): Promise<void>
  /** Aborted with a TimeoutError after so long. */
  deadline(seconds: number): AbortSignal
  /**
   * Aborted when a signal asks the program to stop; the reason is the exit code that tells which one. From the first call on the command
   * itself has to end; a second signal ends it at once.
   */
  stopSignal(): AbortSignal
  /** The OpenAPI document of the ingest API, with these limits and this address. */
  openapi(settings: Pick<Config, "limitIngest" | "maxBody" | "publicUrl" | "port">): Promise<object>
  /** Versions of the program and of what it is made of. */
  versions(): Promise<Readonly<Record<string, string>>>
}

export interface BackupMade {
  readonly file: string
  readonly bytes: number
  readonly schemaVersion: number
  readonly rows: Readonly<Record<string, number>>
}

export interface RestoreDone {
  readonly schemaVersion: number
  readonly rows: Readonly<Record<string, number>>
  /** Where the database that was there is kept. */
  readonly aside: string | null
}

export interface CommonOptions {
  readonly json?: boolean
}

/** Adds options for the named settings, or for all of them. */
export function withSettings(command: Command, ...names: SettingName[]): Command {
  const chosen = names.length > 0 ? names : (Object.keys(SETTINGS) as SettingName[])
  for (const name of chosen) {
    const { option, placeholder, help, fallback } = SETTINGS[name]
    const shown = fallback === null || Array.isArray(fallback) ? "" : ` (default ${String(fallback)})`
    command.option(`--${option} <${placeholder}>`, help + shown)
  }
  return command
}

/** Options that every command with data on standard output has. */
export function withData(command: Command): Command {
  return withSettings(command, "data").option("--json", "print one JSON document, nothing else")
}

/** The settings in force; wrong ones are wrong usage. */
export function settled(context: CliContext, options: object): Settled {
  const result = settle(options as Record<string, unknown>, context.environment)
  if (result.problems.length > 0) throw new UsageError(result.problems.join("\n"))
  return result
}

/** Runs `work` on the store of the data directory in force, and closes it afterwards. */
export async function onStore<Result>(
  context: CliContext,
  options: object,
  how: { readonly create: boolean },
  work: (context: Context, config: Config) => Promise<Result>,
): Promise<Result> {
  const { config } = settled(context, options)
  await using store = await context.openStore(config.data, how)
  return await work({ store, clock: context.clock, random: context.random }, config)
}
