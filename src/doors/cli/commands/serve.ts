import type { Command } from "commander"
import { issueSetupLink } from "../../../actions/people/one-time-links.ts"
import { SETUP_LINK_MINUTES } from "../../../domain/people/user.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, settled, withData, withSettings } from "../context.ts"
import { explained } from "../help.ts"
import { print } from "../io.ts"
import { linkTo } from "../stored.ts"

export function serveCommand(program: Command, context: CliContext): void {
  const serve = program
    .command("serve")
    .summary("start the server: ingest API, sales agent and app")
    .description("start the server: ingest API, sales agent and app on one address")
    .option("--demo", "run with sample data in a temporary database; your own data is not touched")
    .action(async (options: { demo?: boolean }) => {
      const { config, warnings, settings } = settled(context, options)
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

export function setupLinkCommand(program: Command, context: CliContext): void {
  const setupLink = withSettings(withData(program.command("setup-link")), "publicUrl")
    .summary("print a link that creates the first operator")
    .description("print a one-time link to create the first operator")
    .action(async (options: CommonOptions) => {
      const link = await onStore(context, options, async (on, config) =>
        linkTo(on.store, config, await issueSetupLink(on)),
      )
      if (link === null)
        throw new UserError(
          'There is already an operator. "adbooth user link --email ADDRESS" makes a new password link.',
        )
      const text = `Open this link within ${SETUP_LINK_MINUTES} minutes to create the first operator:\n${link}\n`
      print(context.io, options, { link, minutes: SETUP_LINK_MINUTES }, text)
    })
  explained(setupLink, {
    notes: ['It works once. "adbooth user create --operator" makes more operators.'],
    examples: [["setup-link"], ["setup-link --public-url https://ads.example.com"]],
  })
}
