import { type BuyerChoice, chooseBuyer, type TypedBuyer } from "../../domain/campaign/buyer-choice.ts"
import type { Revision } from "../../domain/edit-conflict.ts"
import { Name } from "../../domain/people/organization.ts"
import { checkFor } from "../../domain/schema/check.ts"
import type { ShownCampaign } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"
import { CAMPAIGN_NAME_RULE, knownBuyers, type Seller } from "./create-campaign.ts"

export interface CampaignEdit extends TypedBuyer {
  readonly name: string
  /** The new buyer that was confirmed to see the figures, as `buyerToConfirm` returns it. */
  readonly confirmed: string
}

type EditErrors = Readonly<Partial<Record<keyof CampaignEdit, string>>>

export type EditedCampaign =
  | { readonly outcome: "done" | "not found" | "changed" }
  | { readonly outcome: "refused"; readonly errors: EditErrors }

const isName = checkFor(Name)

/** Renames a campaign, or changes its buyer, who then sees its figures instead of the previous one. */
export async function editCampaign(
  context: Context,
  seller: Seller,
  campaign: Pick<ShownCampaign, "slug" | "buyer">,
  edit: CampaignEdit,
  made: { readonly seen: Revision; readonly actor: string },
): Promise<EditedCampaign> {
  const known = withCompany(await knownBuyers(context, seller), campaign.buyer)
  const buyer = chooseBuyer(edit, known, seller.organization)
  const errors: EditErrors = {
    ...(!isName(edit.name).ok && { name: CAMPAIGN_NAME_RULE }),
    ...(!buyer.ok && buyer.errors),
    ...(buyer.ok && unconfirmed(buyer.choice, campaign.buyer, edit.confirmed)),
  }
  if (!buyer.ok || Object.keys(errors).length > 0) return { outcome: "refused", errors }
  const wanted = { name: edit.name, buyer: buyer.choice }
  const change = { ...made, at: context.clock() }
  return { outcome: await writesOf(context).campaigns.edit(seller.organization.id, campaign.slug, wanted, change) }
}

/** Identifies the confirmed choice: another choice must be confirmed again. */
export function buyerToConfirm({ buyer, newBuyer }: TypedBuyer): string {
  return buyer === "" ? `new ${newBuyer}` : buyer
}

function unconfirmed(choice: BuyerChoice, { slug, name }: ShownCampaign["buyer"], confirmed: string): EditErrors {
  if ("slug" in choice && choice.slug === slug) return {}
  const wanted = "slug" in choice ? { buyer: choice.slug, newBuyer: "" } : { buyer: "", newBuyer: choice.newName }
  if (confirmed === buyerToConfirm(wanted)) return {}
  return {
    confirmed: `The new buyer will see every figure of this campaign, and ${name} no longer will. Please confirm.`,
  }
}

function withCompany(known: Awaited<ReturnType<typeof knownBuyers>>, { slug, name }: ShownCampaign["buyer"]) {
  return known.some((one) => one.slug === slug) ? known : [...known, { slug, name }]
}
