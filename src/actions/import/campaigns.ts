import { eq } from "drizzle-orm"
import { type LineFields, readLine, readPackageId, textsOf } from "../../domain/campaign/line.ts"
import { type ImportedCampaign, type ImportedLine, LINE_FIELDS } from "../../domain/import-file.ts"
import { slugProblem } from "../../domain/people/organization.ts"
import { nameProblem, storedName } from "../../domain/people/person.ts"
import { hasAffiliateValue } from "../../storage/campaigns/affiliates.ts"
import { updateCampaign } from "../../storage/campaigns/campaigns.ts"
import { isExternalIdTaken, linesInUse } from "../../storage/campaigns/lines.ts"
import { addRow } from "../../storage/sql-text.ts"
import {
  addProblem,
  type Count,
  type Importing,
  isSound,
  organizationId,
  refuseRepeated,
  UNKNOWN_ID,
} from "./importing.ts"

interface StoredCampaign {
  readonly id: number
  readonly slug: string
  readonly ownerId: number | null
  readonly buyerId: number
}

interface ImportedCampaigns extends Count {
  /** The ID of each campaign, in the order of the file. */
  readonly ids: readonly number[]
}

/** Creates or updates the campaigns of the file. */
export async function importCampaigns(
  importing: Importing,
  entries: readonly ImportedCampaign[],
): Promise<ImportedCampaigns> {
  const { tx } = importing
  refuseRepeated(importing, "/campaigns", entries, ({ slug, owner = "" }) => [`${slug} ${owner}`, "slug"])
  const { id, slug, ownerId, buyerId } = tx.campaign
  const stored = await tx.db.select({ id, slug, ownerId, buyerId }).from(tx.campaign)
  const ids: number[] = []
  let created = 0
  for (const [i, entry] of entries.entries()) {
    const known = checkCampaign(importing, entry, stored, `/campaigns/${i}`)
    const { buyerId, owner } = organizationsOf(importing, entry, `/campaigns/${i}`)
    if (known === undefined) created++
    else if (known.buyerId !== buyerId && buyerId !== UNKNOWN_ID)
      await refuseNewBuyer(importing, known, `/campaigns/${i}/buyer`)
    if (!isSound(importing)) {
      ids.push(known?.id ?? UNKNOWN_ID)
      continue
    }
    const fields = {
      name: storedName(entry.name),
      buyerId,
      ...(entry.archived !== undefined && { archived: Number(entry.archived) }),
    }
    if (known === undefined)
      ids.push(await addRow(tx, "campaign", { ...fields, slug: entry.slug, ...(owner !== null && { ownerId: owner }) }))
    else {
      await updateCampaign(tx, known.id, fields)
      ids.push(known.id)
    }
  }
  return { created, updated: entries.length - created, ids }
}

/** The new buyer would see all totals, and in the app a person has to confirm that. */
async function refuseNewBuyer(importing: Importing, { id }: StoredCampaign, pointer: string): Promise<void> {
  const { db, line } = importing.tx
  const lines = await db.select({ id: line.id }).from(line).where(eq(line.campaignId, id))
  const lineIds = lines.map((each) => each.id)
  if ((await linesInUse(importing.tx, lineIds)).size === 0) return
  addProblem(importing, pointer, "This can't change once totals are reported. The app can change it, and asks first.")
}

function organizationsOf(importing: Importing, { buyer, owner }: ImportedCampaign, pointer: string) {
  return {
    buyerId: organizationId(importing, buyer, `${pointer}/buyer`),
    owner: owner === undefined ? null : organizationId(importing, owner, `${pointer}/owner`),
  }
}

/** Reports the problems of an entry. Returns the campaign that it updates, if there is one. */
function checkCampaign(
  importing: Importing,
  { slug, name, owner }: ImportedCampaign,
  stored: readonly StoredCampaign[],
  pointer: string,
): StoredCampaign | undefined {
  const errors = { slug: slugProblem(slug), name: nameProblem(name) }
  for (const [field, error] of Object.entries(errors))
    if (error !== undefined) addProblem(importing, `${pointer}/${field}`, error)
  const same = stored.filter((campaign) => campaign.slug === slug)
  if (owner !== undefined) return same.find(({ ownerId }) => ownerId === importing.organizations.get(owner))
  const imported = same.find(({ ownerId }) => ownerId === null)
  if (imported === undefined && same.length > 1)
    addProblem(importing, `${pointer}/slug`, `Several sellers have a campaign "${slug}". Name its owner.`)
  return imported ?? same[0]
}

type StoredLine = Importing["tx"]["line"]["$inferSelect"]

interface PlannedLine {
  readonly pointer: string
  readonly entry: ImportedLine
  readonly campaignId: number
  readonly sellerId: number
  /** The line that the entry updates. */
  readonly stored: StoredLine | undefined
  readonly packageId: string
}

/** Creates or updates the lines of the campaigns, whose IDs are given in the order of the file. */
export async function importLines(
  importing: Importing,
  campaigns: readonly ImportedCampaign[],
  campaignIds: readonly number[],
): Promise<Count> {
  const { tx } = importing
  const stored = await tx.db.select().from(tx.line)
  const find = finderOf(stored)
  const count = { created: 0, updated: 0 }
  const seen = new Map<string, string>()
  for (const [c, { lines = [] }] of campaigns.entries()) {
    for (const [l, entry] of lines.entries()) {
      const pointer = `/campaigns/${c}/lines/${l}`
      const sellerId = organizationId(importing, entry.seller, `${pointer}/seller`)
      const place = { campaignId: campaignIds[c] ?? 0, sellerId }
      const known = find(entry, place)
      const packageId = readPackageId(entry.package_id) ?? known?.packageId ?? crypto.randomUUID()
      refuseSamePackage(importing, seen, packageId, entry, pointer)
      await importLine(importing, { pointer, entry, ...place, stored: known, packageId })
      count[known === undefined ? "created" : "updated"]++
    }
  }
  return count
}

/** Finds the line that an entry means: by its ID, else by campaign, seller and name, so that importing twice is harmless. */
function finderOf(stored: readonly StoredLine[]) {
  const byPackageId = new Map(stored.map((line) => [line.packageId, line]))
  const nameOf = (campaignId: number, sellerId: number, name: string) => `${campaignId} ${sellerId} ${name}`
  // The oldest line is set last, so it gets the name.
  const byName = new Map(
    stored.toSorted((a, b) => b.id - a.id).map((line) => [nameOf(line.campaignId, line.sellerId, line.name), line]),
  )
  return ({ package_id, name }: ImportedLine, place: { readonly campaignId: number; readonly sellerId: number }) =>
    package_id === undefined
      ? byName.get(nameOf(place.campaignId, place.sellerId, name))
      : byPackageId.get(package_id.toLowerCase())
}

function refuseSamePackage(
  importing: Importing,
  seen: Map<string, string>,
  packageId: string,
  { package_id }: ImportedLine,
  pointer: string,
): void {
  const before = seen.get(packageId)
  if (before === undefined) seen.set(packageId, pointer)
  else if (package_id !== undefined) addProblem(importing, `${pointer}/package_id`, `This repeats ${before}.`)
  else addProblem(importing, `${pointer}/name`, `This repeats ${before}. Give each line a package_id.`)
}

async function importLine(importing: Importing, line: PlannedLine): Promise<void> {
  if (saysTooLittle(importing, line)) return
  const fields = readFields(importing, line)
  if (fields === null) return
  await refuseFixed(importing, line)
  await refuseRelabeled(importing, line, fields)
  const { pointer, packageId, sellerId, campaignId, stored, entry } = line
  if (await isExternalIdTaken(importing.tx, { sellerId, packageId, externalId: fields.externalId }))
    addProblem(importing, `${pointer}/external_id`, "Another line of this seller already has this ID.")
  if (!isSound(importing)) return
  const archived = entry.archived === undefined ? (stored?.archived ?? 0) : Number(entry.archived)
  const values = { ...fields, packageId, sellerId, campaignId, archived }
  const { tx } = importing
  if (stored === undefined) await tx.db.insert(tx.line).values(values)
  else await tx.db.update(tx.line).set(values).where(eq(tx.line.id, stored.id))
}

/** Whether the file leaves out a number that would stay as it is, but would mean something else. */
function saysTooLittle(importing: Importing, { entry, stored, pointer }: PlannedLine): boolean {
  if (stored === undefined) return false
  const hasNewBasis = entry.pricing_basis !== stored.pricingBasis
  const hasNewCurrency = entry.currency !== undefined && entry.currency !== stored.currency
  const isMissing = {
    booked: hasNewBasis && entry.booked === undefined && stored.booked !== null,
    rate: (hasNewBasis || hasNewCurrency) && entry.rate === undefined && stored.rate !== null,
  }
  const message = `It has another meaning with a new ${hasNewBasis ? "pricing_basis" : "currency"}. Add it, or null to remove it.`
  for (const [field, is] of Object.entries(isMissing)) if (is) addProblem(importing, `${pointer}/${field}`, message)
  return isMissing.booked || isMissing.rate
}

/** Reads the fields by the rules of the form. */
function readFields(importing: Importing, { entry, stored, pointer }: PlannedLine): LineFields | null {
  if (entry.package_id !== undefined && readPackageId(entry.package_id) === null)
    addProblem(importing, `${pointer}/package_id`, `"${entry.package_id}" isn't a UUID.`)
  const read = readLine(textsOf(fieldsOf(entry, stored)))
  if ("fields" in read) return read.fields
  for (const [field, error] of Object.entries(read.errors))
    addProblem(importing, `${pointer}/${LINE_FIELDS[field as keyof LineFields]}`, error)
  return null
}

/** What the file leaves out stays as it is. */
function fieldsOf(entry: ImportedLine, stored: StoredLine | undefined): LineFields {
  const fields = Object.entries(LINE_FIELDS).map(([field, name]) => {
    const value = entry[name]
    return [field, value === undefined ? (stored?.[field as keyof LineFields] ?? null) : value]
  })
  return Object.fromEntries(fields)
}

/**
 * A line with totals keeps its pricing basis, seller and campaign. Otherwise its totals would mean something else, or
 * other people would see them.
 */
async function refuseFixed(importing: Importing, line: PlannedLine): Promise<void> {
  const { entry, stored, sellerId, campaignId, pointer } = line
  if (stored === undefined) return
  const hasNewBasis = stored.pricingBasis !== entry.pricing_basis
  const hasNewSeller = stored.sellerId !== sellerId
  const isMoved = stored.campaignId !== campaignId
  if (!hasNewBasis && !hasNewSeller && !isMoved) return
  if ((await linesInUse(importing.tx, [stored.id])).size === 0) return
  const message = "This can't change once totals are reported."
  if (hasNewBasis) addProblem(importing, `${pointer}/pricing_basis`, message)
  if (hasNewSeller) addProblem(importing, `${pointer}/seller`, message)
  if (isMoved) addProblem(importing, `${pointer}/package_id`, `This line is in another campaign. ${message}`)
}

/** Affiliate value has the currency of its line, and isn't converted. */
async function refuseRelabeled(
  importing: Importing,
  { stored, pointer }: PlannedLine,
  { currency }: LineFields,
): Promise<void> {
  if (stored === undefined || stored.currency === null || stored.currency === currency) return
  if (!(await hasAffiliateValue(importing.tx, stored.id))) return
  const message = `The line's affiliate value is in ${stored.currency}. The app can change it, and asks first.`
  addProblem(importing, `${pointer}/currency`, message)
}
