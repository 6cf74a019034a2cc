import type { Command } from "commander"
import { issueSetupLink } from "../../../actions/people/issue-link.ts"
import { SETUP_LINK_MINUTES } from "../../../domain/people/user.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData, withSettings } from "../context.ts"
import { printJson } from "../io.ts"
import { linkTo } from "../link.ts"

export function setupLinkCommand(program: Command, context: CliContext): void {
  withSettings(withData(program.command("setup-link")), "publicUrl")
    .description("a fresh one-time link that makes the first operator, while there is none")
    .action(async (options: CommonOptions) => {
      const link = await onStore(context, options, { create: false }, async (on, config) =>
        linkTo(on.store, config, await issueSetupLink(on)),
      )
      if (link === null)
        throw new UserError(
          'There is an operator already. "adbooth user link --email ADDRESS" makes a new password link.',
        )
      if (options.json) printJson(context.io, { link, minutes: SETUP_LINK_MINUTES })
      else context.io.out(`Open this link within ${SETUP_LINK_MINUTES} minutes to make the first operator:\n${link}\n`)
    })
}
