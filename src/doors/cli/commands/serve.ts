import type { Command } from "commander"
import { type CliContext, settled, withSettings } from "../context.ts"

export function serveCommand(program: Command, context: CliContext): void {
  withSettings(program.command("serve"))
    .description("start the server: ingest API, sales agent and app on one address")
    .option("--demo", "run on a throw-away database with a small believable seller; real data is never touched")
    .addHelpText(
      "after",
      "\nEvery option but --demo can also be set in the environment, such as --public-url as ADBOOTH_PUBLIC_URL. The port is\nalso taken from PORT.",
    )
    .action(async (options: { demo?: boolean }) => {
      await context.serve(settled(context, options).config, { demo: options.demo ?? false })
    })
}
