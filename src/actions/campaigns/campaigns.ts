import { type BuyerChoice, type Company, chooseBuyer, type TypedBuyer } from "../../domain/campaign/buyer-choice.ts"
import { checkLine, type TypedLine } from "../../domain/campaign/line-fields.ts"
import { isStale, type Seen } from "../../domain/edit-conflict.ts"
import type { Change } from "../../domain/people/audit.ts"
import { nameErrors, type Organization, TIME_ZONE_DEFAULT } from "../../domain/people/organization.ts"
import { freeSlug, slugOf } from "../../domain/text/short-text.ts"
import type { NewLine, ShownCampaign } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { haveFigures, solelySoldCampaign } from "../../storage/steps/campaigns.ts"
import { isInUse, organizationBySlug } from "../../storage/steps/organizations.ts"
import type { ReadTx, Step, Tx } from "../../storage/steps/step.ts"
import { all, and, eq, exec, first, flag, gte, isThere, lt, ne, or } from "../../storage/steps/step.ts"
import { type Context, type Edited, query, transact, verbOf } from "../context.ts"
import { newId } from "../new-id.ts"
import { removeOrganization } from "../people/organizations.ts"
import { insertLine, unlessTaken } from "./lines.ts"

export type TypedCampaign = TypedBuyer & Readonly<{ name: string; line: TypedLine }>

/** The seller; `knowsEverybody` when an operator acts for it. */
export type Seller = Readonly<{ organization: Organization; knowsEverybody: boolean }>

type CampaignFields = Readonly<{ name: string; buyer: BuyerChoice }>

export const campaignNameErrors = <Field extends string>(field: Field, name: string) =>
  nameErrors(field, name, "Give the campaign a name")

/** Creates a campaign with its first line, or returns an error for each invalid field. */
export async function createCampaign(context: Context, seller: Seller, typed: TypedCampaign, actor: string) {
  const line = checkLine(typed.line)
  const buyer = chooseBuyer(typed, await knownBuyers(context, seller), seller.organization)
  const errors = { ...campaignNameErrors("name", typed.name), ...(!buyer.ok && buyer.errors) }
  if (!buyer.ok || !line.ok || Object.keys(errors).length > 0)
    return { slug: null, errors, lineErrors: line.ok ? {} : line.errors }
  const first = { ...line.line, packageId: newId(context.random) }
  const fields = { name: typed.name, buyer: buyer.choice }
  const by = { actor, at: context.clock() }
  const made = await unlessTaken(async () => ({
    slug: await transact(context, (tx) => addCampaign(tx, seller.organization.id, fields, first, by)),
  }))
  if ("errors" in made) return { slug: null, errors: {}, lineErrors: made.errors }
  const gone = { buyer: "This buyer no longer exists. Choose another." }
  return made.slug === null ? { slug: null, errors: gone, lineErrors: {} } : { slug: made.slug }
}

/** Its slug. Null when the buyer does not exist. */
export function* addCampaign(tx: Tx, sellerId: number, { name, buyer }: CampaignFields, line: NewLine, by: Change) {
  const { db, campaign } = tx
  const buyerId = yield* buyerIdOf(tx, buyer, sellerId, by)
  if (buyerId === null) return null
  const slug = yield* slugFor(tx, campaign, name)
  const inserting = db.insert(campaign).values({ slug, name, buyerId, createdAt: by.at })
  const made = yield* first(inserting.returning({ id: campaign.id }))
  if (made === undefined) throw new Error("the campaign was not created")
  yield* insertLine(tx, made.id, sellerId, line, by)
  yield* audit(tx, by, { action: "create campaign", subject: slug, organizationId: sellerId, details: { name } })
  return slug
}

/** A seller chooses among its earlier buyers; only an operator sees all organizations. */
export const knownBuyers = ({ store }: Context, { organization, knowsEverybody }: Seller): Promise<Company[]> =>
  store.campaigns.buyers(knowsEverybody ? null : organization.id)

export interface CampaignEdit extends TypedBuyer {
  readonly name: string
  /** The new buyer that was confirmed to see the figures, as typed: another one must be confirmed again. */
  readonly confirmed: string
  /** Whether the buyer so far is removed, if nothing else is of it: one that was made by a typing error. */
  readonly removeBuyer: string
}

type EditErrors = Readonly<Partial<Record<keyof CampaignEdit, string>>>

/** Renames a campaign, or changes its buyer, who then sees its figures instead of the previous one. */
export async function editCampaign(
  context: Context,
  seller: Seller,
  campaign: Pick<ShownCampaign, "slug" | "buyer">,
  edit: CampaignEdit,
  made: { readonly seen: Seen; readonly actor: string },
): Promise<Edited<EditErrors>> {
  // Another name than that of the buyer so far does not mean that one.
  const others = (await knownBuyers(context, seller)).filter(({ slug }) => slug !== campaign.buyer.slug)
  const buyer = chooseBuyer(edit, others, seller.organization, campaign.buyer)
  const errors: EditErrors = {
    ...campaignNameErrors("name", edit.name),
    ...(!buyer.ok && buyer.errors),
    ...(buyer.ok && unconfirmed(buyer.choice, campaign.buyer, edit)),
  }
  if (!buyer.ok || Object.keys(errors).length > 0) return { outcome: "refused", errors }
  const fields = { name: edit.name, buyer: buyer.choice }
  const by = { ...made, at: context.clock() }
  const { organization } = seller
  const outcome = await transact(context, function* (tx) {
    const replaced = yield* replaceCampaign(tx, organization.id, campaign.slug, fields, by)
    if (replaced === "done" && edit.removeBuyer !== "") yield* removeOrganization.step(tx, campaign.buyer.slug, by)
    return replaced
  })
  return { outcome }
}

/** Whether nothing is of the buyer of a campaign but that campaign: no people, key, line, order or other campaign. */
export const isLeftWithNothing = (context: Context, { id, buyer }: Pick<ShownCampaign, "id" | "buyer">) =>
  query(context, (tx) => isFree(tx, buyer.id, id))

function* isFree(tx: ReadTx, organizationId: number, campaignId: number): Step<boolean> {
  const { db, invitation } = tx
  const invited = db.select({ id: invitation.id }).from(invitation).where(eq(invitation.organizationId, organizationId))
  return !(yield* isThere(invited)) && !(yield* isInUse(tx, organizationId, campaignId))
}

/** What two edits of a campaign may contradict each other in: see edit-conflict.ts. */
export const campaignFields = (name: string, buyerSlug: string) => ({ name, buyer: buyerSlug })

/** "not found" unless this organization sells every line of the campaign, and when the buyer does not exist. */
export function* replaceCampaign(tx: Tx, sellerId: number, slug: string, { name, buyer }: CampaignFields, by: Change) {
  const { db, campaign, organization } = tx
  const before = yield* solelySoldCampaign(tx, sellerId, slug)
  if (before === null) return "not found"
  if (isStale(by.seen, campaignFields(before.name, before.buyer))) return "changed"
  const buyerId = yield* buyerIdOf(tx, buyer, sellerId, by)
  if (buyerId === null) return "not found"
  yield* exec(db.update(campaign).set({ name, buyerId }).where(eq(campaign.id, before.id)))
  const slugs = db.select({ slug: organization.slug }).from(organization)
  const bought = yield* first(slugs.where(eq(organization.id, buyerId)))
  const details = { before: { name: before.name, buyer: before.buyer }, after: { name, buyer: bought?.slug } }
  yield* audit(tx, by, { action: "edit campaign", subject: slug, organizationId: sellerId, details })
  return "done"
}

function unconfirmed(choice: BuyerChoice, { slug, name }: ShownCampaign["buyer"], edit: CampaignEdit): EditErrors {
  if (("slug" in choice && choice.slug === slug) || edit.confirmed === edit.buyer) return {}
  const confirmed = `The new buyer will see every figure of this campaign, and ${name} no longer will. Please confirm.`
  return { confirmed }
}

/**
 * Takes a campaign out of the default lists, or puts it back. False unless the organization sells every line of it, and when it is
 * archived (or not) already.
 */
export const archiveCampaign = verbOf(function* (tx, sellerId: number, slug: string, isArchived: boolean, by: Change) {
  const { db, campaign } = tx
  const sold = yield* solelySoldCampaign(tx, sellerId, slug)
  if (sold === null) return false
  const isOther = and(eq(campaign.id, sold.id), eq(campaign.archived, flag(!isArchived)))
  const updating = db.update(campaign).set({ archived: flag(isArchived) })
  if (!(yield* isThere(updating.where(isOther).returning({ id: campaign.id })))) return false
  const action = `${isArchived ? "archive" : "unarchive"} campaign`
  yield* audit(tx, by, { action, subject: slug, organizationId: sellerId })
  return true
})

/** Deletes a campaign without figures, with its lines and share links. "not found" unless this organization sells every line. */
export const removeCampaign = verbOf(function* (tx, sellerId: number, slug: string, by: Change) {
  const { db, campaign, packageLine, shareLink, saleStatement } = tx
  const sold = yield* solelySoldCampaign(tx, sellerId, slug)
  if (sold === null) return "not found"
  const isOfIt = eq(packageLine.campaignId, sold.id)
  const isStated = and(eq(saleStatement.campaignId, sold.id), ne(saleStatement.state, "draft"))
  if (yield* haveFigures(tx, isOfIt)) return "has figures"
  if (yield* isThere(db.select({ id: saleStatement.id }).from(saleStatement).where(isStated))) return "has figures"
  yield* exec(db.delete(saleStatement).where(eq(saleStatement.campaignId, sold.id)))
  yield* exec(db.delete(shareLink).where(eq(shareLink.campaignId, sold.id)))
  yield* exec(db.delete(packageLine).where(isOfIt))
  yield* exec(db.delete(campaign).where(eq(campaign.id, sold.id)))
  const details = { name: sold.name }
  yield* audit(tx, by, { action: "remove campaign", subject: slug, organizationId: sellerId, details })
  return "done"
})

/** The id of the chosen buyer, which is created if it is new, in the seller's time zone. Null when it does not exist. */
function* buyerIdOf(tx: Tx, choice: BuyerChoice, sellerId: number, by: Change): Step<number | null> {
  const { db, organization } = tx
  if ("slug" in choice) return (yield* organizationBySlug(tx, choice.slug))?.id ?? null
  const slug = yield* slugFor(tx, organization, choice.newName)
  const zones = db.select({ timeZone: organization.timeZone }).from(organization)
  const { timeZone = TIME_ZONE_DEFAULT } = (yield* first(zones.where(eq(organization.id, sellerId)))) ?? {}
  const row = { slug, name: choice.newName, timeZone, createdAt: by.at }
  const made = yield* first(db.insert(organization).values(row).returning({ id: organization.id }))
  if (made === undefined) throw new Error("the buyer was not created")
  const details = { name: choice.newName }
  yield* audit(tx, by, { action: "create organization", subject: slug, organizationId: made.id, details })
  return made.id
}

function* slugFor({ db }: ReadTx, table: ReadTx["campaign"] | ReadTx["organization"], name: string): Step<string> {
  const wanted = slugOf(name) || "unnamed"
  // All that begin with it and a hyphen: the character after the hyphen is the full stop.
  const isNumbered = and(gte(table.slug, `${wanted}-`), lt(table.slug, `${wanted}.`))
  const slugs = db.select({ slug: table.slug }).from(table)
  const taken = yield* all(slugs.where(or(eq(table.slug, wanted), isNumbered)))
  return freeSlug(wanted, new Set(taken.map(({ slug }) => slug)))
}
