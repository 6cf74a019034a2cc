import type { Command } from "commander"
import { restoreBackup } from "../../actions/operations/restore.ts"
import { messageOf, UserError } from "../../domain/errors.ts"
import type { StoredCopy } from "../../domain/operations/bucket.ts"
import { checkBackup } from "../../storage/copies/backup.ts"
import { holdsData } from "../../storage/copies/copy.ts"
import { confirm, examples, onData, type Program, settingsFor, withData } from "../context.ts"
import { type Column, printJson, printList, printText, showProgress } from "../print.ts"
import { fetchBackup, findBucket, PLACE_OPTIONS } from "./backup-places.ts"

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
  { title: "NAME", value: ({ name }) => name },
  { title: "PLACE", value: ({ place }) => place },
  { title: "BYTES", value: ({ bytes }) => bytes },
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
  using backup = await fetchBackup(program, config, given, named)
  const name = named === "-" ? "standard input" : named
  // Check it before creating a database or asking anything.
  await checkBackup(backup.path, name)
  const progress = showProgress()
  const restored = await withData(
    program,
    given,
    async (context) => {
      if (await holdsData(context.database.read)) await confirm(QUESTION, yes)
      return restoreBackup(context, null, backup.path, progress.show).finally(progress.clear)
    },
    { mayCreate: true },
  )
  if (json) return printJson({ restored: name, ...restored })
  const kept = restored.replaced === null ? "" : `\nThe data from before is in the backup ${restored.replaced}.`
  await printText(`Restored ${restored.rows.toLocaleString("en")} rows from ${name}.${kept}`)
}
