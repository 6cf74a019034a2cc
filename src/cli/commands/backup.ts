import { createReadStream } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { choose, scheduleInForce, storedSetting } from "../../actions/settings.ts"
import { optionsOf } from "../../config.ts"
import { UserError } from "../../domain/errors.ts"
import { type BackupSchedule, backupName } from "../../domain/operations/backup.ts"
import { DURATION, type InForce, type SettingKind, wholeNumber } from "../../domain/operations/setting-kinds.ts"
import { MICROS_PER_SECOND, type Moment, spanInWords } from "../../domain/time/moment.ts"
import { makePrivateFolder, workFolderFor } from "../../files.ts"
import { checkBackup, createBackup } from "../../storage/copies/backup.ts"
import { previewRollback, type Rollback, rollBack } from "../../storage/sqlite/copy-file.ts"
import {
  confirm,
  examples,
  onData,
  type Program,
  readOption,
  settingsFor,
  UsageError,
  withData,
  withJson,
} from "../context.ts"
import { isOutputTerminal, printJson, printText, say, write } from "../print.ts"
import { besideData, registerRestore } from "./restore.ts"

interface RollbackOptions {
  readonly yes?: true
  readonly json?: true
}

const NOTE = `
Stop the server first. Adbooth keeps a copy of the database before an upgrade changes it. Going back
replaces the database with that copy, and keeps the upgraded one in another file. Afterwards, start the
version that ran before: a server of this version would upgrade the database again. Keys revoked since
then stay revoked, and everyone has to sign in again.`

/** Adds `adbooth backup rollback`. */
function registerRollback(backup: Command): void {
  onData(backup.command("rollback"))
    .description("undo the last upgrade: show since when everything would be lost, ask, and go back")
    .option("--yes", "go back without asking")
    .addHelpText("after", NOTE)
    .addHelpText("after", examples("backup rollback"))
    .action(runRollback)
}

async function runRollback({ yes, json, ...given }: RollbackOptions): Promise<void> {
  const { config } = settingsFor(given)
  if (config.databaseUrl !== null)
    throw new UserError(
      "PostgreSQL keeps no copy from before an upgrade. Restore a backup with the version that made it.",
    )
  const preview = previewRollback(config.data)
  say(inWords(preview))
  await confirm("Stop the server before you continue. Go back?", yes)
  say("Going back…")
  const aside = rollBack(config.data, new Date().toISOString().replace(/[-:]|\.\d+/g, ""))
  if (json) return printJson({ ...preview, aside })
  await printText(
    `The database is back as it was before the upgrade (schema ${preview.to}). The upgraded one is kept in ${aside}\n` +
      "Now start the version that ran before.",
  )
}

const inWords = ({ copy, from, to, since }: Rollback): string =>
  `The copy from before the upgrade (schema ${to}, now ${from}) is ${copy}\nGoing back loses everything that was stored since ${since}.`

interface CreateOptions {
  readonly compress?: boolean
  readonly json?: true
}

interface ScheduleOptions {
  readonly every?: string
  readonly keep?: string
  readonly json?: true
}

/** Adds `adbooth backup`. */
export function registerBackup(root: Command, program: Program): void {
  const backup = root.command("backup").description("make, schedule, check and restore backups")
  const create = onData(backup.command("create"))
    .argument("[file]", "where to write it; - for standard output (default: beside the scheduled backups)")
    .description("make a verified backup, even while the server runs; an existing file is replaced")
    .option("--compress", "compress it with gzip")
    .addHelpText(
      "after",
      examples(
        "backup create",
        "backup create adbooth.db.gz --compress",
        "backup create - | ssh elsewhere 'cat > adbooth.db'",
      ),
    )
    .action((file: string | undefined, options: CreateOptions) => createOne(program, file, options))
  for (const option of optionsOf(["backupDir"])) create.addOption(option)
  withJson(backup.command("check"))
    .argument("<file>", "a backup, compressed or not")
    .description("check that a backup is complete and can be restored, without restoring it")
    .addHelpText("after", examples("backup check adbooth-20261115T030000Z.db"))
    .action(checkOne)
  onData(backup.command("schedule"))
    .description("show or change when the server makes backups, as in the app")
    .option("--every <time>", "make a backup this often, such as 24h, or never")
    .option("--keep <number>", "keep this many backups; older ones are deleted")
    .addHelpText("after", "\n--backup-every and --backup-keep, if the server was started with them, override this.")
    .addHelpText("after", examples("backup schedule --every 24h --keep 14", "backup schedule --every never"))
    .action((options: ScheduleOptions) => schedule(program, options))
  registerRestore(backup, program)
  registerRollback(backup)
}

async function createOne(program: Program, named: string | undefined, options: CreateOptions): Promise<void> {
  const { compress: isPacked = false, json, ...given } = options
  if (named === "-") return createToOutput(program, options)
  if (named === "") throw new UsageError("The name of the file is empty.")
  const backup = await withData(program, given, ({ clock, database, services }) => {
    if (named !== undefined) return createBackup(database, named, { isPacked })
    makePrivateFolder(services.backups.folder)
    const name = backupName(clock()) + (isPacked ? ".gz" : "")
    return createBackup(database, join(services.backups.folder, name), { isPacked })
  })
  if (json) return printJson(backup)
  await printText(`${backup.file}: ${sizeInWords(backup)}`)
}

/** A backup is checked before anything of it is written, so it needs a file first. */
async function createToOutput(program: Program, { compress: isPacked = false, json, ...given }: CreateOptions) {
  if (json) throw new UsageError("With - the backup itself goes to standard output, so leave out --json.")
  if (isOutputTerminal())
    throw new UsageError("A backup can't be written to a terminal. Redirect it: adbooth backup create - > FILE")
  await withData(program, given, async ({ config, database }) => {
    using folder = workFolderFor(besideData(config))
    const file = join(folder.path, "backup")
    const backup = await createBackup(database, file, { isPacked })
    for await (const chunk of createReadStream(file)) await write(chunk)
    say(sizeInWords(backup))
  })
}

const sizeInWords = ({ bytes, rows }: { readonly bytes: number; readonly rows: number }): string =>
  `${bytes.toLocaleString("en")} bytes, ${rows.toLocaleString("en")} rows, checked`

async function checkOne(file: string, { json }: { readonly json?: true }): Promise<void> {
  const { rows, schema } = await checkBackup(file)
  if (json) return printJson({ file, schema, rows })
  await printText(`${file} is complete: ${rows.toLocaleString("en")} rows, schema ${schema}.`)
}

async function schedule(program: Program, { every, keep, json, ...given }: ScheduleOptions): Promise<void> {
  const wanted = {
    ...(every !== undefined && { every: every === "never" ? null : readOption("--every", EVERY, every) }),
    ...(keep !== undefined && { keep: readOption("--keep", KEEP, keep) }),
  }
  const inForce = await withData(program, given, async (context) => {
    const before = await storedSetting(context.database.read, "backups")
    const { keep } = await scheduleInForce(context)
    const chosen: BackupSchedule = { every: before?.every ?? null, keep: before?.keep ?? keep.value, ...wanted }
    if (Object.keys(wanted).length > 0) await choose(context, "command", "backups", chosen)
    return scheduleInForce(context)
  })
  const seconds = inForce.every.value === null ? null : inForce.every.value / MICROS_PER_SECOND
  const stated = { every_seconds: { ...inForce.every, value: seconds }, keep: inForce.keep }
  if (json) return printJson(stated)
  const { every: time, keep: count } = inForce
  const lines = [
    `every: ${everyInWords(time.value)} (${DECIDED_BY[time.from]})`,
    `keep:  ${count.value} (${DECIDED_BY[count.from]})`,
  ]
  await printText(lines.join("\n"))
}

const DECIDED_BY: Readonly<Record<InForce<unknown>["from"], string>> = {
  option: "option of the server",
  app: "chosen in the app or by this command",
  default: "default",
}

const HOUR = 3_600 * MICROS_PER_SECOND

function everyInWords(every: BackupSchedule["every"]): string {
  if (every === null) return "never"
  return every % HOUR === 0 ? spanInWords(every) : `${(every / HOUR) * 60} minutes`
}

const KEEP = wholeNumber("number", 1, 10_000)
const EVERY: SettingKind<Moment> = { ...DURATION, rule: `${DURATION.rule}, or never` }
