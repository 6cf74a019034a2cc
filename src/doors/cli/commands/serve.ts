import type { Command } from "commander"
import { type CliContext, settled, withSettings } from "../context.ts"
import { explained } from "../help/help.ts"

export function serveCommand(program: Command, context: CliContext): void {
  const serve = program
    .command("serve")
    .summary("start the server: ingest API, sales agent and app")
    .description("start the server: ingest API, sales agent and app on one address")
    .option("--demo", "run with sample data in a temporary database; your own data is not touched")
    .action(async (options: { demo?: boolean }) => {
      const { config, warnings, ...settings } = settled(context, options)
      await context.serve(config, { demo: options.demo ?? false, warnings, settings })
    })
  explained(withSettings(serve), {
    notes: [
      "Every option except --demo can also be set in the environment: --public-url as ADBOOTH_PUBLIC_URL, for example. The port is also read from PORT.",
    ],
    examples: [
      ["serve --demo", "try it, with sample data"],
      ["serve --data /var/lib/adbooth --public-url https://ads.example.com --trust-proxy 127.0.0.1", "behind a proxy"],
      ["serve --backup-every 24h --backup-keep 14", "with a backup every day"],
    ],
  })
}
