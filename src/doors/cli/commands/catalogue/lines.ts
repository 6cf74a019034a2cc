import type { Command } from "commander"
import { type CliContext, type CommonOptions, onStore, withData } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { linesAt } from "../../line-list.ts"
import { findOrganization } from "../../organization.ts"
import { printList } from "../../output/print-list.ts"

export function linesCommand(program: Command, context: CliContext): void {
  const lines = withData(program.command("lines"))
    .description("list package lines with what is booked and delivered, and their state")
    .option("--org <SLUG>", "only lines that this organization sells")
    .action(async (options: CommonOptions & { org?: string }) => {
      const found = await onStore(context, options, async ({ store }) => {
        const seller = options.org === undefined ? null : await findOrganization(store, options.org)
        return store.packageLines.listWithTotals(seller?.id ?? null)
      })
      const list = linesAt(context.clock())
      const empty = options.org === undefined ? list.empty : `${options.org} sells no lines yet.`
      printList(context.io, options, found, { ...list, empty })
    })
  explained(lines, {
    examples: [
      ["lines --org acme-audio"],
      ["lines --json | jq '.[] | select(.state == \"behind\") | .package_id'", "lines that are behind"],
    ],
  })
}
