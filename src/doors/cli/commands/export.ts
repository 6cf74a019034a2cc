import type { Command } from "commander"
import { exportCatalogue } from "../../../actions/catalogue/export-catalogue.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { printJson } from "../io.ts"

export function exportCommand(program: Command, context: CliContext): void {
  withData(program.command("export"))
    .description("print the catalogue as a file for import, without secrets")
    .action(async (options: CommonOptions) => {
      printJson(context.io, await onStore(context, options, exportCatalogue))
    })
}
