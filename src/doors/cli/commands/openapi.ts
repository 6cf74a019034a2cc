import type { Command } from "commander"
import { type CliContext, settled, withSettings } from "../context.ts"
import { printJson } from "../io.ts"

export function openapiCommand(program: Command, context: CliContext): void {
  withSettings(program.command("openapi"), "limitIngest", "maxBody", "publicUrl")
    .description("print the OpenAPI 3.1 document of the ingest API")
    .option("--json", "accepted; the document is always JSON")
    .action(async (options: object) => printJson(context.io, await context.openapi(settled(context, options).config)))
}
