import { join } from "node:path"
import { backupSchedule, changeBackupSchedule } from "../../../actions/operations/backups.ts"
import { type Config, resolveSettings } from "../../../config.ts"
import {
  type BackupSchedule,
  backupName,
  type ScheduleInForce,
  type ScheduleOrigin,
} from "../../../domain/operations/backup.ts"
import { durationInWords, MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { Rollback } from "../../../storage/port/copies.ts"
import { namedFile, UsageError } from "../arguments.ts"
import { type CommandOutput, command, DATA, describes, group, isConfirmed, lists, onData, says } from "../command.ts"
import { type CliContext, type CommonOptions, settingsForData, settingsOf } from "../context.ts"
import type { List } from "../output/table.ts"
import { settingsOfServer } from "./doctor.ts"

function refuseOutput({ io }: CliContext, { json }: CommonOptions): void {
  if (json) throw new UsageError("With - the backup itself goes to standard output, so --json cannot be used.")
  if (io.outIsTerminal)
    throw new UsageError("A backup cannot be written to a terminal. Redirect it: adbooth backup create - > FILE.")
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

function inWords({ every, keep, from }: ScheduleInForce): CommandOutput {
  const seconds = every === null ? null : every / MICROS_PER_SECOND
  const json = { every_seconds: { value: seconds, from: from.every }, keep: { value: keep, from: from.keep } }
  return describes(json, [
    ["Every", `${every === null ? "never" : durationInWords(every)} (${ORIGINS[from.every]})`],
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

const BUCKET = ["backupTo", "backupEndpoint", "backupRegion", "backupKey"] as const

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
    const here = (await cli.backups.here(config)).map((copy) => ({ ...copy, place: "here" as const }))
    // What is wrong with the bucket is said below the backups that are here.
    const there = await cli.backups.inBucket(config).catch((cause: unknown) => cause as Error)
    if (here.length === 0 && there === null) cli.refuseMissing(config)
    const copies = there instanceof Error ? [] : (there ?? [])
    const rows = [...here, ...copies.map((copy) => ({ ...copy, place: "bucket" as const }))]
    if (!(there instanceof Error)) return lists(rows, LISTED)
    lists(rows, LISTED, "There are no backups here.")(cli.io, options)
    throw there
  },
})

const ABOUT_RESTORE = "replace the database with a backup, once it is verified; also while the server runs"
const RESTORE = command("restore <FILE>", ABOUT_RESTORE, {
  words: {
    FILE: "a backup or an export --all, compressed or not; - for standard input; s3://BUCKET/PREFIX/NAME, or the NAME that backup list shows, from the bucket",
  },
  options: { "--yes": "replace existing data without asking; it is kept in another file either way" },
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
    ["backup restore adbooth.db.zst --yes", "replace what is there, and keep it in another file"],
  ],
  async run({ cli, options }, file: string) {
    const { config } = settingsForData(cli, options)
    const found = file === "-" ? cli.io.inputStream() : await cli.backups.find(config, file)
    const [path, input] = typeof found === "string" ? [found, undefined] : [file, found]
    const question = "There is data already. Replace it with this backup? It is kept in another file."
    const mayReplace = async () => options.yes ?? isConfirmed(cli.io, question)
    const { rows, schemaVersion: schema, aside } = await cli.restore(config, path, { mayReplace, input })
    const count = sumOf(rows).toLocaleString("en")
    const from = file === "-" ? "standard input" : file
    const note = aside === null ? "" : `\nThe previous database is kept in ${aside}`
    return says({ restored: file, schema, rows, aside }, `Restored ${count} rows from ${from}.${note}`)
  },
})

const ABOUT_ROLLBACK = "undo the last upgrade of the database: show what would be lost, ask, and go back"
const ROLLBACK = command("rollback", ABOUT_ROLLBACK, {
  options: { "--yes": "go back without asking" },
  settings: DATA,
  notes: [
    "Stop the server first. Before an upgrade changes the database, a copy is kept beside it. Going back replaces the database with that copy. The upgraded database is kept in another file. Then start the version that ran before: a server of this version would upgrade the database again. Keys revoked since stay revoked, and everybody has to sign in again.",
  ],
  examples: [["backup rollback", "what would be lost; then it asks"]],
  async run({ cli, options }) {
    const { config } = settingsForData(cli, options)
    const roll = async (apply: boolean) => {
      const done = await cli.rollback(config, { apply })
      const { copy, schema, difference, aside } = done
      return says({ done: aside !== null, copy, schema, difference, aside }, text(done))
    }
    if (options.yes) return roll(true)
    const shown = await roll(false)
    shown(cli.io, options)
    if (!(await isConfirmed(cli.io, "Go back?"))) throw new UserError("Nothing was changed.")
    return roll(true)
  },
})

function text({ copy, schema, difference, aside }: Rollback): string {
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
    "Stop the server before you go back, and start the version that ran before afterwards."
  )
}

const describe = (rows: number) => (rows > 0 ? `${rows} more` : `${-rows} fewer, which would be back`)

const CREATE = command("create [FILE]", "make a verified backup of the database, also while the server runs", {
  words: {
    FILE: "where to write it (default: beside the scheduled ones); an existing file is replaced once the backup is verified; - for standard output",
  },
  options: { "--compress": "compress it, as zstd does" },
  settings: [...DATA, "backupDir"],
  examples: [
    ["backup create"],
    ["backup create adbooth.db.zst --compress"],
    ["backup create - --compress | ssh elsewhere 'cat > adbooth.db.zst'", "to another machine"],
  ],
  async run({ cli, options }, named?: string) {
    const { config } = settingsForData(cli, options)
    const isPacked = options.compress ?? false
    const file = named === undefined ? await scheduledFile(cli, config, isPacked) : namedFile("FILE", named)
    const toOutput = file === "-"
    if (toOutput) refuseOutput(cli, options)
    const made = await cli.backUp(config, toOutput ? cli.io.out : file, isPacked)
    const { bytes, rows, schemaVersion: schema } = made
    const text = `${bytes.toLocaleString("en")} bytes, ${sumOf(rows).toLocaleString("en")} rows, checked`
    if (toOutput) return (io) => io.err(`${text}\n`)
    return says({ file: made.file, bytes, schema, rows }, `${made.file}: ${text}`)
  },
})

async function scheduledFile(cli: CliContext, config: Config, isPacked: boolean): Promise<string> {
  cli.refuseMissing(config)
  return join(cli.backups.makeFolder(config), `${backupName(cli.clock())}${isPacked ? ".zst" : ""}`)
}

export const backupCommand = group("backup", "make, schedule, check and restore backups", {
  meant: 'A backup is made with "adbooth backup create FILE".',
  below: [CREATE, LIST, CHECK, SCHEDULE, RESTORE, ROLLBACK],
})
