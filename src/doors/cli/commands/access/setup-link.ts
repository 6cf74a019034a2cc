import type { Command } from "commander"
import { issueSetupLink } from "../../../../actions/people/one-time-links.ts"
import { SETUP_LINK_MINUTES } from "../../../../domain/people/user.ts"
import { UserError } from "../../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData, withSettings } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { print } from "../../io.ts"
import { linkTo } from "../../link.ts"

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
