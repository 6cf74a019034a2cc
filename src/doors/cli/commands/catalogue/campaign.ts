import type { Command } from "commander"
import { archiveCampaign, removeCampaign } from "../../../../actions/campaigns/campaigns.ts"
import type { Organization } from "../../../../domain/people/organization.ts"
import { UserError } from "../../../../domain/user-error.ts"
import type { StoreReads } from "../../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { print } from "../../io.ts"
import { findOrganization } from "../../organization.ts"
import { addList, addShow, noCampaign } from "./campaign-list.ts"

export function campaignCommand(program: Command, context: CliContext): void {
  const campaign = program.command("campaign").description("show campaigns, archive or delete one")
  explained(campaign, {
    examples: [
      ["campaign list --org acme-audio"],
      ["campaign show autumn"],
      ["campaign archive autumn"],
      ["campaign unarchive autumn"],
      ["campaign delete autumn"],
    ],
  })
  addList(campaign, context)
  addShow(campaign, context)
  addArchive(campaign, context, "archive", true)
  addArchive(campaign, context, "unarchive", false)
  addDelete(campaign, context)
}

function addArchive(campaign: Command, context: CliContext, name: string, archived: boolean): void {
  withData(campaign.command(name))
    .description(
      archived ? "leave a campaign out of lists; nothing is lost" : "show an archived campaign in lists again",
    )
    .argument("<SLUG>", "as shown by campaign list")
    .action(async (slug: string, options: CommonOptions) => {
      const changed = await onStore(context, options, async (on) =>
        archiveCampaign(on, await sellerOf(on.store, slug), slug, archived, "command"),
      )
      const done = archived ? "Archived.\n" : "The campaign is in the lists again.\n"
      print(context.io, options, { campaign: slug, archived }, changed ? done : "Nothing to change.\n")
    })
}

function addDelete(campaign: Command, context: CliContext): void {
  withData(campaign.command("delete"))
    .description("delete a campaign with its lines, if nothing has been reported")
    .argument("<SLUG>", "as shown by campaign list")
    .action(async (slug: string, options: CommonOptions) => {
      const outcome = await onStore(context, options, async (on) =>
        removeCampaign(on, await sellerOf(on.store, slug), slug, "command"),
      )
      if (outcome !== "done")
        throw new UserError(`"${slug}" has figures, so it cannot be deleted: "adbooth campaign archive ${slug}".`)
      print(context.io, options, { campaign: slug, deleted: true }, "Deleted.\n")
    })
}

/** Whoever sells every line of the campaign. */
async function sellerOf(store: StoreReads, slug: string): Promise<Organization> {
  const [seller, ...others] = await store.packageLines.sellersOf(slug)
  if (seller === undefined) throw noCampaign(slug)
  if (others.length > 0)
    throw new UserError(
      `Several organizations sell lines of "${slug}". Archive or delete single lines: "adbooth line".`,
    )
  return findOrganization(store, seller)
}
