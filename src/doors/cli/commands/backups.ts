import { backupSchedule, changeBackupSchedule } from "../../../actions/operations/backups.ts"
import { resolveSettings } from "../../../config.ts"
import type { BackupSchedule, ScheduleInForce, ScheduleOrigin } from "../../../domain/operations/backup.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import type { Rollback } from "../../../storage/port/copies.ts"
import { namedFile, UsageError } from "../arguments.ts"
import { type Answer, command, DATA, describes, lists, onData, says } from "../command.ts"
import { type CliContext, type CommonOptions, settingsForData, settingsOf } from "../context.ts"
import type { List } from "../output/table.ts"
import { settingsOfServer } from "./doctor.ts"

function refuseOutput({ io }: CliContext, { json }: CommonOptions): void {
  if (json) throw new UsageError("With - the backup itself goes to standard output, so --json cannot be used.")
  if (io.outIsTerminal)
    throw new UsageError("A backup cannot be written to a terminal. Redirect it: adbooth backup - > FILE.")
}

const SCHEDULE = onData("schedule", "show or change when the server makes backups, as in the app", {
  options: {
    "--every <TIME>": "how often, such as 24h, or never",
    "--keep <N>": "backups to keep; older ones are deleted",
  },
  notes: ["If the server was started with --backup-every or --backup-keep, that wins."],
  examples: [["backup schedule"], ["backup schedule --every 24h --keep 14"], ["backup schedule --every never"]],
  reads: wantedBy,
  async run({ cli, read: wanted, ...on }) {
    if (Object.keys(wanted).length > 0) await changeBackupSchedule(on, wanted, { actor: "command" })
    return inWords(await backupSchedule(on.store, await settingsOfServer(on.store, settingsOf(cli, {}))))
  },
})

/** What the options ask for. They are read as those of the server are. */
function wantedBy({ every, keep }: Partial<Record<"every" | "keep", string>>): Partial<BackupSchedule> {
  const isTimed = every !== undefined && every !== "never"
  const given = { ...(isTimed && { backupEvery: every }), ...(keep !== undefined && { backupKeep: keep }) }
  const { config, problems } = resolveSettings(given, {})
  if (problems.length > 0) throw new UsageError(problems.join("\n").replaceAll("--backup-", "--"))
  return {
    ...(every !== undefined && { every: config.backupEvery }),
    ...(config.backupKeep !== null && { keep: config.backupKeep }),
  }
}

const ORIGINS: Readonly<Record<ScheduleOrigin, string>> = {
  option: "option of the server",
  chosen: "chosen in the app or by this command",
  default: "default",
}

function inWords({ every, keep, from }: ScheduleInForce): Answer {
  const seconds = every === null ? null : every / MICROS_PER_SECOND
  const json = { every_seconds: { value: seconds, from: from.every }, keep: { value: keep, from: from.keep } }
  return describes(json, [
    ["Every", `${seconds === null ? "never" : `${seconds / 3_600}h`} (${ORIGINS[from.every]})`],
    ["Keep", `${keep} (${ORIGINS[from.keep]})`],
  ])
}

const sumOf = (rows: Readonly<Record<string, number>>) => Object.values(rows).reduce((sum, count) => sum + count, 0)

const CHECK = command("check <FILE>", "check that a backup is complete and can be restored, without restoring it", {
  words: { FILE: "a backup, compressed or not" },
  notes: ["The check needs room for a temporary copy beside the backup."],
  examples: [["backup check adbooth-2026-11-15.db.zst"]],
  async run({ cli }, file: string) {
    const { rows, schemaVersion: schema } = await cli.checkBackup(namedFile("FILE", file))
    return says({ file, schema, rows }, `${file}: sound, ${sumOf(rows)} rows, schema ${schema}`)
  },
})

const BUCKET = ["backupTo", "backupEndpoint", "backupRegion", "backupKey", "backupKeyFile"] as const

type ListedBackup = Readonly<{ name: string; place: "here" | "bucket"; bytes: number }>

const LISTED: List<ListedBackup> = {
  columns: [
    { title: "NAME", value: ({ name }) => name },
    { title: "WHERE", value: ({ place }) => place },
    { title: "BYTES", value: ({ bytes }) => bytes, isFigure: true },
  ],
  empty: "There are no backups yet.",
}

const LIST = command("list", "list the scheduled backups, here and in the bucket", {
  settings: [...DATA, "backupDir", ...BUCKET],
  notes: ["With --backup-to it works on a machine without data, too."],
  examples: [["backup list"], ["backup list --backup-to s3://my-backups/adbooth --backup-key-file key"]],
  async run({ cli, options }) {
    const { config } = settingsForData(cli, options)
    const [here, there] = await Promise.all([cli.backups.here(config), cli.backups.inBucket(config)])
    const rows = [
      ...here.map((copy) => ({ ...copy, place: "here" as const })),
      ...there.map((copy) => ({ ...copy, place: "bucket" as const })),
    ]
    return lists(rows, LISTED)
  },
})

const ABOUT_RESTORE = "replace the database with a backup, once it is verified; also while the server runs"
const RESTORE = command("restore <FILE>", ABOUT_RESTORE, {
  words: {
    FILE: "a backup or an export --all, compressed or not; - for standard input; s3://BUCKET/PREFIX/NAME, or the NAME that backup list shows, from the bucket",
  },
  options: { "--force": "replace existing data, which is kept in another file (with PostgreSQL: in --backup-dir)" },
  settings: [...DATA, "backupDir", ...BUCKET.slice(1)],
  notes: [
    "Keys revoked after the backup stay revoked. Everyone has to sign in again. Users removed after the backup are back. Reports received after the backup are in the previous database, which is kept.",
  ],
  examples: [
    ["backup restore adbooth.db.zst --data ./new", "into an empty place"],
    [
      "backup restore s3://my-backups/adbooth/adbooth-20261115T030000Z.db --backup-key-file key --data ./new",
      "from a bucket",
    ],
    ["backup restore adbooth.db.zst --force", "replace what is there, and keep it in another file"],
  ],
  async run({ cli, options }, file: string) {
    const { config } = settingsForData(cli, options)
    const input = file === "-" ? cli.io.inputStream() : await cli.backups.fromBucket(config, file)
    const how = { force: options.force ?? false, input: input ?? undefined }
    const { rows, schemaVersion: schema, aside } = await cli.restore(config, input === null ? file : "-", how)
    const count = sumOf(rows).toLocaleString("en")
    const from = file === "-" ? "standard input" : file
    const note = aside === null ? "" : `\nThe previous database is kept in ${aside}`
    return says({ restored: file, schema, rows, aside }, `Restored ${count} rows from ${from}.${note}`)
  },
})

const ABOUT_ROLLBACK = "undo the last upgrade of the database: show what would be lost, or go back with --yes"
const ROLLBACK = command("rollback", ABOUT_ROLLBACK, {
  options: { "--yes": "go back; the server must be stopped" },
  settings: DATA,
  notes: [
    "Before an upgrade changes the database, a copy is kept beside it. Going back replaces the database with that copy. The upgraded database is kept in another file. Then start the version that ran before: a server of this version would upgrade the database again. Keys revoked since stay revoked, and everybody has to sign in again.",
  ],
  examples: [
    ["backup rollback", "what would be lost"],
    ["backup rollback --yes", "go back"],
  ],
  async run({ cli, options }) {
    const { config } = settingsForData(cli, options)
    const done = await cli.rollback(config, { apply: options.yes ?? false })
    const { copy, schema, difference, aside } = done
    return says({ done: aside !== null, copy, schema, difference, aside }, text(done, config.data))
  },
})

function text({ copy, schema, difference, aside }: Rollback, data: string): string {
  const tables = Object.entries(difference)
  const width = Math.max(...tables.map(([table]) => table.length), 0)
  const lost = tables.map(([table, rows]) => `  ${table.padEnd(width)}  ${describe(rows)}\n`).join("")
  const rows = lost === "" ? "No table has more or fewer rows than the copy.\n" : lost
  if (aside !== null) {
    return `went back from schema ${schema.from} to ${schema.to}\nwhat is in the upgraded database only:\n${rows}the upgraded database is kept in ${aside}\nNow start the version that ran before.`
  }
  return (
    `The copy from before the upgrade (schema ${schema.to}, now ${schema.from}) is ${copy}\n` +
    `Going back would lose what changed since, such as these rows:\n${rows}\n` +
    `Nothing was changed. To go back, stop the server, then run\n  adbooth backup rollback --yes --data ${data}\nand start the version that ran before.`
  )
}

const describe = (rows: number) => (rows > 0 ? `${rows} more` : `${-rows} fewer, which would be back`)

const ABOUT = "make a verified backup of the database, also while the server runs"
export const backupCommand = command("backup <FILE>", ABOUT, {
  summary: "make, schedule, check and restore backups",
  words: {
    FILE: "where to write it; an existing file is replaced once the backup is verified; - for standard output",
  },
  options: { "--compress": "compress it, as zstd does" },
  settings: DATA,
  examples: [
    ["backup adbooth.db.zst --compress"],
    ["backup - --compress | ssh elsewhere 'cat > adbooth.db.zst'", "to another machine"],
  ],
  below: [LIST, SCHEDULE, CHECK, RESTORE, ROLLBACK],
  async run({ cli, options }, file: string) {
    const { config } = settingsForData(cli, options)
    const toOutput = namedFile("FILE", file) === "-"
    if (toOutput) refuseOutput(cli, options)
    const made = await cli.backUp(config, toOutput ? cli.io.out : file, options.compress ?? false)
    const { bytes, rows, schemaVersion: schema } = made
    const text = `${bytes.toLocaleString("en")} bytes, ${sumOf(rows).toLocaleString("en")} rows, checked`
    if (toOutput) return (io) => io.err(`${text}\n`)
    return says({ file: made.file, bytes, schema, rows }, `${made.file}: ${text}`)
  },
})
