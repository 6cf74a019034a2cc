import type { Command } from "commander"
import { type CliContext, settled, withSettings } from "../context.ts"

export function serveCommand(program: Command, context: CliContext): void {
  withSettings(program.command("serve"))
    .description("start the server: ingest API, sales agent and app on one address")
    .option("--demo", "run with sample data in a temporary database; your own data is not touched")
    .addHelpText(
      "after",
      "\nEvery option except --demo can also be set in the environment: --public-url as ADBOOTH_PUBLIC_URL, for example. The port\nis also read from PORT.",
    )
    .action(async (options: { demo?: boolean }) => {
      const { config, ...settings } = settled(context, options)
      await context.serve(config, { demo: options.demo ?? false, settings })
    })
}
