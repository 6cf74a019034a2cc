import type { Command } from "commander"
import { type CliContext, type CommonOptions, type RolledBack, settled, withData } from "../context.ts"
import { explained } from "../help/help.ts"
import { print } from "../io.ts"

interface RollbackOptions extends CommonOptions {
  readonly yes?: boolean
}

export function rollbackCommand(program: Command, context: CliContext): void {
  const rollback = withData(program.command("rollback"))
    .description("undo the last upgrade of the database: show what would be lost, or go back with --yes")
    .option("--yes", "go back; the server must be stopped")
    .action(async (options: RollbackOptions) => {
      const { config } = settled(context, options)
      const done = await context.rollback(config, { apply: options.yes ?? false })
      const { copy, schema, difference, aside } = done
      print(context.io, options, { done: aside !== null, copy, schema, difference, aside }, text(done, config.data))
    })
  explained(rollback, {
    notes: [
      "Before an upgrade changes the database, a copy is kept beside it. Going back replaces the database with that copy. The upgraded database is kept in another file. Then start the version that ran before: any command of this version upgrades the database again. Keys revoked since stay revoked, and everybody has to sign in again.",
    ],
    examples: [
      ["rollback --data /var/lib/adbooth", "what would be lost"],
      ["rollback --yes --data /var/lib/adbooth", "go back"],
    ],
  })
}

function text({ copy, schema, difference, aside }: RolledBack, data: string): string {
  const tables = Object.entries(difference)
  const width = Math.max(...tables.map(([table]) => table.length), 0)
  const lost = tables.map(([table, rows]) => `  ${table.padEnd(width)}  ${describe(rows)}\n`).join("")
  const rows = lost === "" ? "No table has more or fewer rows than the copy.\n" : lost
  if (aside !== null) {
    return `went back from schema ${schema.from} to ${schema.to}\nwhat is in the upgraded database only:\n${rows}the upgraded database is kept in ${aside}\nNow start the version that ran before.\n`
  }
  return (
    `The copy from before the upgrade (schema ${schema.to}, now ${schema.from}) is ${copy}\n` +
    `Going back would lose what changed since, such as these rows:\n${rows}\n` +
    `Nothing was changed. To go back, stop the server, then run\n  adbooth rollback --yes --data ${data}\nand start the version that ran before.\n`
  )
}

const describe = (rows: number) => (rows > 0 ? `${rows} more` : `${-rows} fewer, which would be back`)
