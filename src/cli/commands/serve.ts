import type { Command } from "commander"
import { SERVER_OPTIONS, SETTINGS, type SettingName } from "../../config.ts"
import { examples, type Given, type Program, settingsFor } from "../context.ts"

const ALL = Object.keys(SETTINGS) as SettingName[]

const NOTE = `
Every option except --demo can also be set in the environment, such as --public-url as
ADBOOTH_PUBLIC_URL. A variable that ends with _FILE names a file with the value.`

/** Adds `adbooth serve`. */
export function registerServe(root: Command, program: Program): void {
  const serve = root
    .command("serve")
    .summary("start the server")
    .description("Start the server: ingest API, sales agent and web app on one address.")
    .option("--demo", "serve sample data from a temporary database; your own data isn't touched")
    .addHelpText("after", NOTE)
    .addHelpText(
      "after",
      examples(
        "serve --demo",
        "serve --domain ads.example.com",
        "serve --public-url https://ads.example.com --trust-proxy 127.0.0.1",
        "serve --backup-every 24h --backup-keep 14",
      ),
    )
    .action(async (given: Given) => {
      const { config, warnings } = settingsFor(given, ALL, process.env)
      await program.serve(config, { warnings, isDemo: given["demo"] === true })
    })
  for (const option of SERVER_OPTIONS) serve.addOption(option)
}
