import { FORMER_OPTIONS } from "../../../domain/operations/former-settings.ts"
import { command } from "../command.ts"
import { ALL_SETTINGS, settingsOf, withFormerOptions } from "../context.ts"

// What most people set. --help-all shows the rest.
const SHOWN = [
  "demo data database-url-file host port domain public-url trust-proxy agent-delivery",
  "backup-every backup-to alert-to log-format",
].flatMap((names) => names.split(" "))

export const serveCommand = command("serve", "start the server: ingest API, sales agent and app on one address", {
  summary: "start the server: ingest API, sales agent and app",
  options: { "--demo": "run with sample data in a temporary database; your own data is not touched" },
  settings: ALL_SETTINGS,
  json: null,
  notes: [
    "Every option except --demo can also be set in the environment: --public-url as ADBOOTH_PUBLIC_URL, for example. The port is also read from PORT.",
  ],
  examples: [
    ["serve --demo", "try it, with sample data"],
    ["serve --domain ads.example.com", "with HTTPS of its own"],
    ["serve --public-url https://ads.example.com --trust-proxy 127.0.0.1", "behind a proxy"],
    ["serve --backup-every 24h --backup-keep 14", "with a backup every day"],
  ],
  prepare(serve) {
    for (const option of serve.options) option.hideHelp(!SHOWN.includes(option.name()))
    serve.option("--help-all", "show every option").on("option:help-all", () => {
      for (const option of serve.options) option.hideHelp(FORMER_OPTIONS.includes(option.name()))
      serve.help()
    })
    withFormerOptions(serve)
  },
  async run({ cli, options }) {
    const { config, ...resolved } = settingsOf(cli, options)
    await cli.serve(config, { demo: options.demo ?? false, ...resolved })
  },
})
