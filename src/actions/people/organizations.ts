import { isStale } from "../../domain/edit-conflict.ts"
import type { Change } from "../../domain/people/audit.ts"
import { type Logo, readLogo } from "../../domain/people/logo.ts"
import type { Organization, OrganizationErrors, TypedOrganization } from "../../domain/people/organization.ts"
import { organizationErrors, organizationFields, Slug } from "../../domain/people/organization.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { namedTimeZone } from "../../domain/time/time-zone.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { outdateDays } from "../../storage/steps/line-days.ts"
import { settingOf } from "../../storage/steps/operations.ts"
import { columnsOf, isInUse, organizationBySlug } from "../../storage/steps/organizations.ts"
import { all, eq, exec, first, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, type Edited, transact, verb } from "../context.ts"
import { setSetting } from "../settings.ts"

const isSlug = checkFor(Slug)

const currencySetting = ({ slug }: Pick<Organization, "slug">) => `currency_${slug}` as const

/** In which it usually sells; empty where nobody has said so. */
export const currencyOf = async ({ settings }: Pick<StoreReads, "settings">, owner: Pick<Organization, "slug">) =>
  (await settings.get(currencySetting(owner))) ?? ""

/** What a new price of a seller begins with: its usual currency, else the only one of its lines. Of several none is certain. */
export async function firstCurrency(store: Pick<StoreReads, "settings" | "campaigns">, seller: Organization) {
  const usual = await currencyOf(store, seller)
  const [only = "", ...others] = usual === "" ? await store.campaigns.currencies(seller.id) : [usual]
  return others.length === 0 ? only : ""
}

/** Creates an organization. Returns an error for each invalid field; empty when it was created. */
export async function createOrganization(
  context: Context,
  { slug, name, timeZone: typedZone, currency = "" }: TypedOrganization,
  actor: string,
  firstAdmin: number | null = null,
): Promise<OrganizationErrors> {
  const timeZone = namedTimeZone(typedZone)
  const errors = {
    ...(!isSlug(slug).ok && {
      slug: slug === "" ? "Enter a short name." : "Use lower-case letters, digits and single hyphens.",
    }),
    ...organizationErrors({ name, timeZone, currency }),
  }
  if (Object.keys(errors).length > 0) return errors
  const by = { actor, at: context.clock() }
  const made = await transact(context, function* (tx) {
    const added = yield* addOrganization(tx, { slug, name, timeZone }, by)
    if (added !== null && currency !== "") yield* setSetting(tx, currencySetting(added), currency)
    if (added === null || firstAdmin === null) return added
    yield* exec(tx.db.insert(tx.membership).values({ userId: firstAdmin, organizationId: added.id, role: "admin" }))
    const member = { action: "add member", subject: `user:${firstAdmin}`, organizationId: added.id }
    yield* audit(tx, by, { ...member, details: { role: "admin" } })
    return added
  })
  return made === null ? { slug: "There is already an organization with this short name." } : {}
}

/** Null when the slug is taken. */
export function* addOrganization(tx: Tx, added: Omit<Organization, "id">, by: Change): Step<Organization | null> {
  const { db, organization } = tx
  const inserting = db.insert(organization).values({ ...added, createdAt: by.at })
  const unlessTaken = inserting.onConflictDoNothing({ target: organization.slug })
  const made = yield* first(unlessTaken.returning(columnsOf(organization)))
  if (made === undefined) return null
  const { id: organizationId, slug, name, timeZone } = made
  yield* audit(tx, by, { action: "create organization", subject: slug, organizationId, details: { name, timeZone } })
  return made
}

/** Changes the name, the time zone and the currency of the organization with this slug. */
export async function editOrganization(
  context: Context,
  { slug, ...typed }: TypedOrganization,
  by: Pick<Change, "actor" | "seen">,
): Promise<Edited<OrganizationErrors>> {
  const edited = { ...typed, timeZone: namedTimeZone(typed.timeZone) }
  const errors = organizationErrors(edited)
  if (Object.keys(errors).length > 0) return { outcome: "refused", errors }
  const stamped = { ...by, at: context.clock() }
  const stored = await transact(context, (tx) => replaceOrganization(tx, slug, edited, stamped))
  if (stored === "changed") return { outcome: "changed" }
  return { outcome: stored === null ? "not found" : "done" }
}

/** Null when no organization has this slug. The slug never changes, because files and scripts refer to it. */
export function* replaceOrganization(tx: Tx, slug: string, edited: Omit<TypedOrganization, "slug">, by: Change) {
  const { db, organization } = tx
  const before = yield* organizationBySlug(tx, slug)
  if (before === null) return null
  const usual = (yield* settingOf(tx, currencySetting(before))) ?? ""
  if (isStale(by.seen, organizationFields(before, usual))) return "changed"
  const { name, timeZone, currency = usual } = edited
  if (currency !== usual) yield* setSetting(tx, currencySetting(before), currency)
  yield* exec(db.update(organization).set({ name, timeZone }).where(eq(organization.id, before.id)))
  if (timeZone !== before.timeZone) yield* outdateDays(tx, before.id)
  const what = { action: "edit organization", subject: slug, organizationId: before.id }
  yield* audit(tx, by, { ...what, details: { name, timeZone, ...(currency !== usual && { currency }) } })
  return { ...before, name, timeZone }
}

/** Deletes an organization on which nothing depends. Open invitations go with it. */
export const removeOrganization = verb(function* (tx, slug: string, by: Change): Step<"done" | "not found" | "in use"> {
  const { db, organization, auditEntry, setting } = tx
  const before = yield* organizationBySlug(tx, slug)
  if (before === null) return "not found"
  if (yield* isInUse(tx, before.id)) return "in use"
  yield* exec(db.update(auditEntry).set({ organizationId: null }).where(eq(auditEntry.organizationId, before.id)))
  // Another organization may get this slug.
  yield* exec(db.delete(setting).where(eq(setting.name, currencySetting(before))))
  yield* exec(db.delete(organization).where(eq(organization.id, before.id)))
  yield* audit(tx, by, { action: "remove organization", subject: slug, details: { name: before.name } })
  return "done"
})

type Owner = Pick<Organization, "id" | "slug">

/** Saves the picture for an organization's reports. Returns why it is refused; null when it was saved. */
export async function changeLogo(context: Context, organization: Owner, bytes: Uint8Array, actor: string) {
  const read = readLogo(bytes)
  if (!read.ok) return read.message
  await transact(context, (tx) => setLogo(tx, organization, read.logo, { actor, at: context.clock() }))
  return null
}

/** Removes the picture. False when there was none. */
export const removeLogo = (context: Context, organization: Owner, actor: string): Promise<boolean> =>
  transact(context, (tx) => setLogo(tx, organization, null, { actor, at: context.clock() }))

/** Null removes it. False when there was nothing to remove. */
export function* setLogo(tx: Tx, { id, slug }: Owner, logo: Logo | null, by: Change): Step<boolean> {
  const { db, organizationLogo } = tx
  const { organizationId } = organizationLogo
  const deleting = db.delete(organizationLogo).where(eq(organizationId, id))
  const deleted = yield* all(deleting.returning({ id: organizationId }))
  if (logo === null && deleted.length === 0) return false
  if (logo !== null) yield* exec(db.insert(organizationLogo).values({ organizationId: id, savedAt: by.at, ...logo }))
  const action = logo === null ? "remove logo" : "change logo"
  yield* audit(tx, by, { action, subject: slug, organizationId: id })
  return true
}
