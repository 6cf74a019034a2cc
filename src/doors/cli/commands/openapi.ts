import type { Command } from "commander"
import { type CliContext, settled, withSettings } from "../context.ts"
import { explained } from "../help/help.ts"
import { printJson } from "../io.ts"

export function openapiCommand(program: Command, context: CliContext): void {
  const openapi = withSettings(program.command("openapi"), "limitIngest", "maxBody", "publicUrl")
    .summary("print the OpenAPI document of the ingest API")
    .description("print the OpenAPI 3.1 document of the ingest API")
    .option("--json", "accepted; the document is always JSON")
    .action(async (options: object) => printJson(context.io, await context.openapi(settled(context, options).config)))
  explained(openapi, { examples: [["openapi --public-url https://ads.example.com > openapi.json"]] })
}
