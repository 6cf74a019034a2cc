import { createWriteStream, existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Command } from "commander"
import { restoreBackup } from "../../actions/operations/backups.ts"
import { bucketInForce, bucketOption } from "../../actions/settings.ts"
import { type Config, optionsOf } from "../../config.ts"
import { messageOf, UserError } from "../../domain/errors.ts"
import { type BucketSettings, isBackupName, type StoredCopy } from "../../domain/operations/backup.ts"
import { PRIVATE, workFolderFor } from "../../files.ts"
import { checkBackup } from "../../storage/copies/backup.ts"
import { holdsData } from "../../storage/copies/copy.ts"
import { confirm, examples, type Given, onData, type Program, settingsFor, UsageError, withData } from "../context.ts"
import { type Column, printJson, printList, printText, showProgress } from "../print.ts"

interface RestoreOptions {
  readonly yes?: true
  readonly json?: true
}

const NOTE = `
FILE is a backup, compressed or not, - for standard input, s3://BUCKET/PREFIX/NAME, or a name that
"backup list" shows. Keys revoked after the backup stay revoked. Everyone has to sign in again.`

const QUESTION =
  "This replaces the current data with the backup. The current data is saved to another file first. Continue?"

/** Adds `adbooth backup list` and `adbooth backup restore`. */
export function registerRestore(backup: Command, program: Program): void {
  const list = onData(backup.command("list"))
    .description("list the scheduled backups, on this machine and in the bucket")
    .addHelpText(
      "after",
      examples("backup list", "backup list --backup-to s3://my-backups/adbooth --backup-key-file key"),
    )
    .action((options: RestoreOptions) => listBackups(program, options))
  const restore = onData(backup.command("restore"))
    .argument("<file>", "the backup")
    .description("check a backup and replace everything with it, even while the server runs")
    .option("--yes", "replace existing data without asking; it's saved to another file either way")
    .addHelpText("after", NOTE)
    .addHelpText(
      "after",
      examples(
        "backup restore adbooth.db --data ./new",
        "backup restore s3://my-backups/adbooth/adbooth-20261115T030000Z.db --backup-key-file key",
      ),
    )
    .action((file: string, options: RestoreOptions) => runRestore(program, file, options))
  for (const command of [list, restore]) for (const option of PLACE_OPTIONS) command.addOption(option)
}

interface ListedBackup extends StoredCopy {
  readonly place: "here" | "bucket"
}

const COLUMNS: readonly Column<ListedBackup>[] = [
  { title: "NAME", value: "name" },
  { title: "PLACE", value: "place" },
  { title: "BYTES", value: "bytes" },
]

/** Lists the backups on this machine even if the bucket fails, and reports that problem afterwards. */
async function listBackups(program: Program, { json, ...given }: RestoreOptions): Promise<void> {
  const { config } = settingsFor(given)
  const services = await program.services(config)
  const here = (await services.backups.list()).map((copy) => ({ ...copy, place: "here" }) as const)
  try {
    const bucket = await findBucket(program, config, given)
    const copies = bucket === null ? [] : await services.bucket(bucket).list()
    const there = copies.map((copy) => ({ ...copy, place: "bucket" }) as const)
    return await printList([...here, ...there], COLUMNS, { json, empty: "No backups yet." })
  } catch (cause) {
    await printList(here, COLUMNS, { json, empty: "No backups on this machine." })
    throw new UserError(messageOf(cause), { cause })
  }
}

async function runRestore(program: Program, named: string, { yes, json, ...given }: RestoreOptions): Promise<void> {
  const { config } = settingsFor(given)
  using folders = new DisposableStack()
  const store = (chunks: AsyncIterable<Uint8Array>) =>
    stored(chunks, folders.use(workFolderFor(besideData(config))).path)
  const file = await findBackup(program, given, named, store)
  const name = named === "-" ? "standard input" : named
  // Check it before creating a database or asking anything.
  await checkBackup(file, name)
  const progress = showProgress()
  const restored = await withData(
    program,
    given,
    async (context) => {
      if (await holdsData(context.database.read)) await confirm(QUESTION, yes)
      return restoreBackup(context, null, file, progress.show).finally(progress.clear)
    },
    { mayCreate: true },
  )
  if (json) return printJson({ restored: name, ...restored })
  const kept = restored.replaced === null ? "" : `\nThe data from before is in the backup ${restored.replaced}.`
  await printText(`Restored ${restored.rows.toLocaleString("en")} rows from ${name}.${kept}`)
}

/** The options that say where backups and their copies are. */
const PLACE_OPTIONS = optionsOf(["backupDir", "backupTo", "backupEndpoint", "backupRegion", "backupKey"])

/** Uses the bucket from the options, which needs no database, or else the bucket chosen in the app. */
async function findBucket(program: Program, config: Config, given: Given): Promise<BucketSettings | null> {
  if (config.backupTo === null) return withData(program, given, async (context) => (await bucketInForce(context)).value)
  if (config.backupKey === null) throw new UsageError("--backup-to needs --backup-key-file or ADBOOTH_BACKUP_KEY.")
  return bucketOption(config)
}

/** A path beside which a backup can be put for a while: on the disk with the data, if it's on this machine. */
export function besideData({ data, databaseUrl }: Config): string {
  if (databaseUrl !== null) return join(tmpdir(), "adbooth")
  return existsSync(data) ? join(data, "backup") : data
}

/** Finds a backup, and stores one that isn't a file on this machine. Returns its path. */
async function findBackup(
  program: Program,
  given: Given,
  named: string,
  store: (chunks: AsyncIterable<Uint8Array>) => Promise<string>,
): Promise<string> {
  if (named === "-") return store(Bun.stdin.stream())
  const { config } = settingsFor(given)
  const services = await program.services(config)
  if (named.startsWith("s3://")) return store(services.bucket(bucketAt(config, named)).read(basename(named)))
  const path = [named, join(services.backups.folder, named)].find((each) => existsSync(each))
  if (path !== undefined) return path
  const bucket = isBackupName(named) ? await findBucket(program, config, given) : null
  if (bucket === null) throw new UserError(`There is no file ${named}, and no backup with this name.`)
  return store(services.bucket(bucket).read(named))
}

function bucketAt(config: Config, url: string): BucketSettings {
  const bucket = bucketOption({ ...config, backupTo: url.slice(0, url.lastIndexOf("/")) })
  if (bucket !== null) return bucket
  throw new UsageError(
    "A backup in a bucket is s3://BUCKET/PREFIX/NAME, and needs --backup-key-file or ADBOOTH_BACKUP_KEY.",
  )
}

async function stored(chunks: AsyncIterable<Uint8Array>, folder: string): Promise<string> {
  const path = join(folder, "backup")
  await pipeline(Readable.from(chunks), createWriteStream(path, { mode: PRIVATE }))
  return path
}
