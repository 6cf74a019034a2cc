import { chooseBuyer, type TypedBuyer } from "../../domain/campaign/buyer-choice.ts"
import { checkLine, type TypedLine } from "../../domain/campaign/line-fields.ts"
import { Name, type Organization } from "../../domain/people/organization.ts"
import { checkFor } from "../../domain/schema/check.ts"
import type { Company } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"
import { newId } from "../new-id.ts"
import { unlessTaken } from "./unless-taken.ts"

export interface TypedCampaign extends TypedBuyer {
  readonly name: string
  readonly line: TypedLine
}

/** The seller; `knowsEverybody` when an operator acts for it. */
export interface Seller {
  readonly organization: Organization
  readonly knowsEverybody: boolean
}

type Wrong<Fields> = Readonly<Partial<Record<keyof Fields, string>>>

export type CreatedCampaign =
  | { readonly ok: true; readonly slug: string }
  | { readonly ok: false; readonly errors: Wrong<Omit<TypedCampaign, "line">>; readonly lineErrors: Wrong<TypedLine> }

const isName = checkFor(Name)
export const CAMPAIGN_NAME_RULE = "Give the campaign a name of at most 200 characters."

/** Creates a campaign with its first line, or returns an error for each invalid field. */
export async function createCampaign(
  context: Context,
  seller: Seller,
  typed: TypedCampaign,
  actor: string,
): Promise<CreatedCampaign> {
  const line = checkLine(typed.line)
  const buyer = chooseBuyer(typed, await knownBuyers(context, seller), seller.organization)
  const errors = { ...(!isName(typed.name).ok && { name: CAMPAIGN_NAME_RULE }), ...(!buyer.ok && buyer.errors) }
  if (!buyer.ok || !line.ok || Object.keys(errors).length > 0) {
    return { ok: false, errors, lineErrors: line.ok ? {} : line.errors }
  }
  const first = { ...line.line, packageId: newId(context.random) }
  const campaign = { name: typed.name, buyer: buyer.choice }
  const change = { actor, at: context.clock() }
  const made = await unlessTaken(async () => ({
    slug: await writesOf(context).campaigns.create(seller.organization.id, campaign, first, change),
  }))
  if ("errors" in made) return { ok: false, errors: {}, lineErrors: made.errors }
  if (made.slug !== null) return { ok: true, slug: made.slug }
  return { ok: false, errors: { buyer: "This buyer no longer exists. Choose another." }, lineErrors: {} }
}

/** A seller chooses among its earlier buyers; only an operator sees all organizations. */
export function knownBuyers({ store }: Context, { organization, knowsEverybody }: Seller): Promise<Company[]> {
  return store.campaigns.buyers(knowsEverybody ? null : organization.id)
}
