import { eq } from "drizzle-orm"
import { type LineFields, readLine, readPackageId, textsOf } from "../../domain/campaign/line.ts"
import { type ImportedCampaign, type ImportedLine, LINE_FIELDS } from "../../domain/import-file.ts"
import { slugProblem } from "../../domain/people/organization.ts"
import { nameProblem, storedName } from "../../domain/people/person.ts"
import { hasAffiliateValue } from "../../storage/campaigns/affiliates.ts"
import { updateCampaign } from "../../storage/campaigns/campaigns.ts"
import { linesInUse } from "../../storage/campaigns/lines.ts"
import { addRow } from "../../storage/sql-text.ts"
import type { Row } from "../../storage/tables/tables.ts"
import { addErrors, addProblem, checkSlug, countOf, type Importing, idOf, refuseRepeated } from "./importing.ts"

type StoredCampaign = Row<"campaign">
type StoredLine = Row<"line">

const FIXED = "This can't change once totals are reported."

/** Checks campaigns and their lines. */
export async function checkCampaigns(importing: Importing, entries: readonly ImportedCampaign[] = []) {
  const { tx, ids } = importing
  refuseRepeated(importing, "/campaigns", entries, ({ slug, owner = "" }) => [`${slug} ${owner}`, "slug"])
  const stored = await tx.db.select().from(tx.campaign)
  const campaigns: CheckedCampaign[] = []
  for (const [i, entry] of entries.entries()) {
    const pointer = `/campaigns/${i}`
    addErrors(importing, pointer, { slug: slugProblem(entry.slug), name: nameProblem(entry.name) })
    checkSlug(importing, entry.buyer, `${pointer}/buyer`)
    checkSlug(importing, entry.owner, `${pointer}/owner`)
    const known = findCampaign(importing, entry, stored, pointer)
    if (known !== undefined && known.buyerId !== ids.get(entry.buyer)) await refuseNewBuyer(importing, known, pointer)
    campaigns.push({ entry, known })
  }
  const lines = await checkLines(importing, campaigns)

  return async function write() {
    const campaignIds: number[] = []
    for (const campaign of campaigns) campaignIds.push(await writeCampaign(importing, campaign))
    for (const { known, campaign, seller, fields } of lines) {
      const values = { ...fields, campaignId: campaignIds[campaign] ?? 0, sellerId: idOf(importing, seller) }
      if (known === undefined) await tx.db.insert(tx.line).values(values)
      else await tx.db.update(tx.line).set(values).where(eq(tx.line.id, known.id))
    }
    return { campaigns: countOf(campaigns), lines: countOf(lines) }
  }
}

interface CheckedCampaign {
  readonly entry: ImportedCampaign
  /** The campaign that it updates. */
  readonly known: StoredCampaign | undefined
}

async function writeCampaign(importing: Importing, { entry, known }: CheckedCampaign): Promise<number> {
  const { slug, name, buyer, owner, archived } = entry
  const fields = {
    name: storedName(name),
    buyerId: idOf(importing, buyer),
    ...(archived !== undefined && { archived: Number(archived) }),
  }
  if (known === undefined) {
    const ownerId = owner === undefined ? null : idOf(importing, owner)
    return addRow(importing.tx, "campaign", { ...fields, slug, ownerId })
  }
  await updateCampaign(importing.tx, known.id, fields)
  return known.id
}

/** The campaign that an entry updates. Undefined if there is none. */
function findCampaign(
  importing: Importing,
  { slug, owner }: ImportedCampaign,
  stored: readonly StoredCampaign[],
  pointer: string,
): StoredCampaign | undefined {
  const same = stored.filter((campaign) => campaign.slug === slug)
  if (owner !== undefined) return same.find(({ ownerId }) => ownerId === importing.stored.get(owner)?.id)
  const imported = same.find(({ ownerId }) => ownerId === null)
  if (imported === undefined && same.length > 1)
    addProblem(importing, `${pointer}/slug`, `Several sellers have a campaign "${slug}". Name its owner.`)
  return imported ?? same[0]
}

/** The new buyer would see all totals, and in the app a person has to confirm that. */
async function refuseNewBuyer(importing: Importing, { id }: StoredCampaign, pointer: string): Promise<void> {
  const { db, line } = importing.tx
  const lines = await db.select({ id: line.id }).from(line).where(eq(line.campaignId, id))
  const lineIds = lines.map((each) => each.id)
  if ((await linesInUse(importing.tx, lineIds)).size === 0) return
  addProblem(importing, `${pointer}/buyer`, `${FIXED} The app can change it, and asks first.`)
}

async function checkLines(importing: Importing, campaigns: readonly CheckedCampaign[]) {
  const stored = await importing.tx.db.select().from(importing.tx.line)
  const find = finderOf(stored)
  const pointers = new Map<string, string>()
  const externalIds = new Set(stored.map(externalKey))
  const checked = []
  for (const [campaign, { entry, known: storedCampaign }] of campaigns.entries())
    for (const [i, line] of (entry.lines ?? []).entries()) {
      const { seller, archived } = line
      const pointer = `/campaigns/${campaign}/lines/${i}`
      checkSlug(importing, seller, `${pointer}/seller`)
      const place = { campaignId: storedCampaign?.id, sellerId: importing.stored.get(seller)?.id }
      const known = find(line, place)
      const packageId = readPackageId(line.package_id) ?? known?.packageId ?? crypto.randomUUID()
      const before = pointers.get(packageId)
      if (before !== undefined)
        addProblem(importing, pointer, `This repeats ${before}. Give each line a package_id of its own.`)
      pointers.set(packageId, pointer)
      const fields = await checkLine(importing, line, known, place, pointer)
      if (fields === null) continue
      // Lines are written one after the other, and each must find its ID free by then.
      const key = externalKey({ sellerId: place.sellerId ?? seller, externalId: fields.externalId })
      if (known !== undefined) externalIds.delete(externalKey(known))
      if (key !== null && externalIds.has(key))
        addProblem(importing, `${pointer}/external_id`, "Another line of this seller already has this ID.")
      externalIds.add(key)
      const isArchived = archived === undefined ? (known?.archived ?? 0) : Number(archived)
      checked.push({ known, campaign, seller, fields: { ...fields, packageId, archived: isArchived } })
    }
  return checked
}

const externalKey = ({ sellerId, externalId }: { sellerId: number | string; externalId: string | null }) =>
  externalId === null ? null : `${sellerId} ${externalId}`

/** Where a line is. What isn't stored yet has no ID. */
interface Place {
  readonly campaignId: number | undefined
  readonly sellerId: number | undefined
}

/** Finds the line that an entry means: by its ID, else by campaign, seller and name, so that importing twice is harmless. */
function finderOf(stored: readonly StoredLine[]) {
  const byPackageId = new Map(stored.map((line) => [line.packageId, line]))
  const nameOf = ({ campaignId, sellerId }: Place, name: string) => `${campaignId} ${sellerId} ${name}`
  // The oldest line is set last, so it gets the name.
  const inOrder = stored.toSorted((a, b) => b.id - a.id)
  const byName = new Map(inOrder.map((line) => [nameOf(line, line.name), line]))
  return ({ package_id, name }: ImportedLine, place: Place) =>
    package_id === undefined ? byName.get(nameOf(place, name)) : byPackageId.get(package_id.toLowerCase())
}

/** The fields of a line by the rules of the form. What the file leaves out stays as it is. Null if something is wrong with them. */
async function checkLine(
  importing: Importing,
  entry: ImportedLine,
  known: StoredLine | undefined,
  place: Place,
  pointer: string,
): Promise<LineFields | null> {
  if (entry.package_id !== undefined && readPackageId(entry.package_id) === null)
    addProblem(importing, `${pointer}/package_id`, `"${entry.package_id}" isn't a UUID.`)
  if (known !== undefined && saysTooLittle(importing, entry, known, pointer)) return null
  const fields = Object.entries(LINE_FIELDS).map(([field, name]) => {
    const value = entry[name]
    return [field, value === undefined ? (known?.[field as keyof LineFields] ?? null) : value]
  })
  const read = readLine(textsOf(Object.fromEntries(fields)))
  if ("errors" in read) {
    addErrors(importing, pointer, read.errors, LINE_FIELDS)
    return null
  }
  if (known !== undefined) {
    await refuseFixed(importing, known, { ...place, pricingBasis: entry.pricing_basis }, pointer)
    await refuseRelabeled(importing, known, read.fields, pointer)
  }
  return read.fields
}

/** Whether the file leaves out a number that would stay as it is, but would mean something else. */
function saysTooLittle(importing: Importing, entry: ImportedLine, stored: StoredLine, pointer: string): boolean {
  const hasNewBasis = entry.pricing_basis !== stored.pricingBasis
  const hasNewCurrency = entry.currency !== undefined && entry.currency !== stored.currency
  const lacksBooked = hasNewBasis && entry.booked === undefined && stored.booked !== null
  const lacksRate = (hasNewBasis || hasNewCurrency) && entry.rate === undefined && stored.rate !== null
  const message = `It has another meaning with a new ${hasNewBasis ? "pricing_basis" : "currency"}. Add it, or null to remove it.`
  if (lacksBooked) addProblem(importing, `${pointer}/booked`, message)
  if (lacksRate) addProblem(importing, `${pointer}/rate`, message)
  return lacksBooked || lacksRate
}

/**
 * A line with totals keeps its pricing basis, seller and campaign. Otherwise its totals would mean something else, or
 * other people would see them.
 */
async function refuseFixed(
  importing: Importing,
  stored: StoredLine,
  { pricingBasis, sellerId, campaignId }: Place & Pick<LineFields, "pricingBasis">,
  pointer: string,
): Promise<void> {
  const hasNewBasis = stored.pricingBasis !== pricingBasis
  const hasNewSeller = stored.sellerId !== sellerId
  const isMoved = stored.campaignId !== campaignId
  if (!hasNewBasis && !hasNewSeller && !isMoved) return
  if ((await linesInUse(importing.tx, [stored.id])).size === 0) return
  if (hasNewBasis) addProblem(importing, `${pointer}/pricing_basis`, FIXED)
  if (hasNewSeller) addProblem(importing, `${pointer}/seller`, FIXED)
  if (isMoved) addProblem(importing, `${pointer}/package_id`, `This line is in another campaign. ${FIXED}`)
}

/** Affiliate value has the currency of its line, and isn't converted. */
async function refuseRelabeled(
  importing: Importing,
  stored: StoredLine,
  { currency }: LineFields,
  pointer: string,
): Promise<void> {
  if (stored.currency === null || stored.currency === currency) return
  if (!(await hasAffiliateValue(importing.tx, stored.id))) return
  const message = `The line's affiliate value is in ${stored.currency}. The app can change it, and asks first.`
  addProblem(importing, `${pointer}/currency`, message)
}
