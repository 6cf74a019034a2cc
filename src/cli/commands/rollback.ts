import type { Command } from "commander"
import { UserError } from "../../domain/user-error.ts"
import { previewRollback, type Rollback, rollBack } from "../../storage/sqlite/rollback.ts"
import { confirm, examples, onData, settingsFor } from "../context.ts"
import { printJson, printText, say } from "../print.ts"

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
export function registerRollback(backup: Command): void {
  onData(backup.command("rollback"))
    .description("undo the last upgrade: show what would be lost, ask, and go back")
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

function inWords({ copy, from, to, lost }: Rollback): string {
  const tables = Object.entries(lost)
  const rows = tables.map(([table, count]) => `  ${table}: ${changeInWords(count)}`)
  const listed = rows.length === 0 ? ["  No table has more or fewer rows than the copy."] : rows
  return [
    `The copy from before the upgrade (schema ${to}, now ${from}) is ${copy}`,
    "Going back loses what changed since then:",
    ...listed,
  ].join("\n")
}

const changeInWords = (count: number): string =>
  count > 0 ? `${count.toLocaleString("en")} rows would be lost` : `${(-count).toLocaleString("en")} rows would be back`
