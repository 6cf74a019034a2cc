import { existsSync } from "node:fs"
import type { Command } from "commander"
import { exportFile } from "../../actions/import/import-file.ts"
import type { Moved } from "../../actions/operations/move.ts"
import { DEFAULTS } from "../../config.ts"
import { UserError } from "../../domain/errors.ts"
import { DATABASE_URL, hasPassword } from "../../domain/operations/setting-kinds.ts"
import { isPostgresUrl } from "../../storage/engines.ts"
import { databaseFile } from "../../storage/sqlite/directory.ts"
import { examples, onData, type Program, readNamed, UsageError, withData, withJson } from "../context.ts"
import { explained, printJson, printText, say, showProgress } from "../print.ts"

interface MoveOptions {
  readonly from: string
  readonly to: string
  readonly json?: true
}

const NOTE = `
A PLACE is a data directory or a URL such as postgres://user@host/database. To keep its password out of
process lists, name where the URL is stored: env:NAME (an environment variable) or file:PATH. Stop every
server on --from first. If the move fails or is interrupted, nothing is kept at --to, so run it again.`

/** Adds `adbooth move`. */
export function registerMove(root: Command, program: Program): void {
  withJson(root.command("move"))
    .summary("copy everything between a data directory and PostgreSQL")
    .description("Copy everything between a data directory and PostgreSQL, either way, and verify the copy.")
    .requiredOption("--from <place>", "data directory or database URL to copy from; it isn't changed")
    .requiredOption("--to <place>", "empty data directory or database to copy to")
    .addHelpText("after", NOTE)
    .addHelpText(
      "after",
      examples(
        "move --from ./data --to env:ADBOOTH_DATABASE_URL",
        "move --from file:/run/secrets/database-url --to ./data",
      ),
    )
    .action((options: MoveOptions) => runMove(program, options))
}

/** Loaded on demand, because it knows both engines, and other commands would wait for that. */
const copying = () => import("../../actions/operations/move.ts")

async function runMove(program: Program, options: MoveOptions): Promise<void> {
  const [from, to] = [await placeOf("--from", options.from), await placeOf("--to", options.to)]
  if (!isPostgresUrl(from) && !existsSync(databaseFile(from)))
    throw new UserError(`There is no Adbooth database in ${from}. Check --from.`)
  const { move } = await copying()
  const progress = showProgress()
  let isCopying = false
  // The person sees the progress, and that a move takes long isn't worth a line.
  const log = { ...(await program.log(DEFAULTS)), info: () => undefined }
  const moved = await move(from, to, log, (step, table, rows) => {
    if (!isCopying) say("Nothing else is using --from. Copying; the source stays locked until this finishes.")
    isCopying = true
    progress.show(step, table, rows)
  }).finally(progress.clear)
  await (options.json ? printJson(moved) : printText(inWords(moved)))
}

// An attempt at naming a database, although not as we read one. Such a text may hold a password.
const IS_ADDRESS = /^\w[\w+.-]*:\/\/|^postgres(?:ql)?:|password\s*=/i

async function placeOf(option: string, given: string): Promise<string> {
  if (isPostgresUrl(given) && hasPassword(given))
    say(`Every user of this machine can read the password in ${option}. Use env:NAME or file:PATH.`)
  const [, kind, name = ""] = /^(env|file):(.*)$/s.exec(given) ?? []
  const place =
    kind === undefined
      ? given
      : kind === "env"
        ? (process.env[name] ?? "")
        : new TextDecoder().decode(await readNamed(name)).trim()
  if (place === "") throw new UsageError(`${option} is empty.`)
  const isUrl = kind !== undefined || IS_ADDRESS.test(place)
  if (isUrl && DATABASE_URL.read(place) === null) throw new UsageError(`${option} ${DATABASE_URL.rule}.`)
  return place
}

function inWords({ from, to, tables }: Moved): string {
  const all = Object.values(tables)
  const rows = all.reduce((sum, table) => sum + table.rows, 0)
  return [
    `Copied ${rows.toLocaleString("en")} rows in ${all.length} tables from ${from} to ${to}.`,
    "Verified: every table reads back equal.",
    "Start the server with the copy. The original is unchanged. Keep it as long as you like, but don't use it again.",
  ].join("\n")
}

interface ExportOptions {
  readonly all?: true
  readonly csv?: string
  readonly json?: true
}

/** Adds `adbooth export`. */
export function registerExport(root: Command, program: Program): void {
  onData(root.command("export"))
    .summary("print the catalog, or save everything as JSON or CSV")
    .description(
      "Print organizations, users, campaigns, formats, products and buyer keys as a file for import. " +
        "--all and --csv export everything that is stored. Exports never contain secrets.",
    )
    .option("--all", "print everything as JSON, one object on each line")
    .option("--csv <dir>", "save everything as CSV, one file for each table")
    .addHelpText("after", examples("export > catalog.json", "export --csv ./adbooth-csv", "export --all > all.jsonl"))
    .action(async (options: ExportOptions) => {
      const { all, csv, json } = options
      if (all && csv !== undefined) throw new UsageError("Give --all or --csv, not both.")
      await withData(program, { ...options }, async (context) => {
        const { exportEverything, exportTables } = await copying()
        if (csv !== undefined) {
          const files = await exportTables(context, csv)
          return json ? printJson({ folder: csv, files }) : printText(`${csv}: ${files.length} files`)
        }
        if (!all) return printJson(await exportFile(context))
        await exportEverything(context, process.stdout).catch((cause) => Promise.reject(explained(cause)))
      })
    })
}
