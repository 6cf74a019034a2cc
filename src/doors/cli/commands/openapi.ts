import type { Command } from "commander"
import type { CliContext } from "../context.ts"
import { printJson } from "../io.ts"

export function openapiCommand(program: Command, context: CliContext): void {
  program
    .command("openapi")
    .description("the OpenAPI 3.1 document of the ingest API")
    .option("--json", "no difference: the document is JSON")
    .action(async () => printJson(context.io, await context.openapi()))
}
