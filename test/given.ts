import { bodySeen, changeFormat, changeProduct, type Problems } from "../src/actions/catalogue/edit-catalogue.ts"
import { importCatalogue } from "../src/actions/catalogue/import-catalogue.ts"
import type { Context } from "../src/actions/context.ts"
import { createIngestKey } from "../src/actions/keys/keys.ts"
import type { PricingBasis } from "../src/domain/campaign/pricing-basis.ts"
import type { DeliveryEffect } from "../src/domain/delivery/delivery.ts"
import { formatIdOf, productIdOf } from "../src/domain/import/import-plan.ts"
import type { DeliveryReceipt, ReportedTotal } from "../src/storage/port/store.ts"
import { all, eq } from "../src/storage/steps/step.ts"
import type { Store } from "./storage/contract/whole-store.ts"

// What a test starts from, in words. Everything comes in through the actions that people use.

export interface GivenOrganization {
  readonly id: number
  readonly slug: string
}

let count = 0

export async function givenOrganization(
  context: Context,
  { slug = `seller-${++count}`, timeZone }: { slug?: string; timeZone?: string } = {},
): Promise<GivenOrganization> {
  await bringIn(context, {
    organizations: [{ slug, name: `Organization ${slug}`, ...(timeZone && { time_zone: timeZone }) }],
  })
  const organization = await context.store.organizations.findBySlug(slug)
  if (organization === null) throw new Error(`${slug} was not brought in`)
  return { id: organization.id, slug }
}

export interface GivenLine {
  readonly packageId: string
  readonly seller: GivenOrganization
}

export interface LineWishes {
  readonly seller?: GivenOrganization
  readonly pricingBasis?: PricingBasis
  readonly flightStart?: string
  readonly packageId?: string
}

/** A line priced on impressions whose flight started on 2026-11-01, unless wished otherwise. */
export async function givenPackageLine(context: Context, wishes: LineWishes = {}): Promise<GivenLine> {
  const seller = wishes.seller ?? (await givenOrganization(context))
  const packageId = wishes.packageId ?? crypto.randomUUID()
  const line = {
    package_id: packageId,
    seller: seller.slug,
    name: `Line ${packageId.slice(0, 8)}`,
    pricing_basis: wishes.pricingBasis ?? "impressions",
    flight_start: wishes.flightStart ?? "2026-11-01",
  }
  const slug = `campaign-${packageId}`
  await bringIn(context, { campaigns: [{ slug, name: slug, buyer: seller.slug, lines: [line] }] })
  return { packageId, seller }
}

/** The secret of a new ingest key of the organization. */
export async function givenIngestKey(context: Context, organization: GivenOrganization): Promise<string> {
  return (await createIngestKey(context, organization, `key ${++count}`, "test")).secret
}

async function bringIn(context: Context, file: object): Promise<void> {
  const outcome = await importCatalogue(context, file, "test")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
}

/** Keeps totals as they are, judged by nobody. */
export async function keepTotals(
  store: Pick<Store, "deliveries" | "query">,
  totals: readonly ReportedTotal[],
  receipt: Omit<DeliveryReceipt, "timeZone">,
): Promise<DeliveryEffect[]> {
  const { revision } = await store.deliveries.linesSold(0, [])
  const timeZone = await zoneOfLine(store, totals[0]?.lineId ?? 0)
  const effects = await store.deliveries.record(totals, { ...receipt, timeZone }, revision)
  return effects ?? keepTotals(store, totals, receipt)
}

/** The time zone of the seller of a line. */
export async function zoneOfLine({ query }: Pick<Store, "query">, lineId: number): Promise<string> {
  const [line] = await query(({ db, packageLine, organization }) =>
    all(
      db
        .select({ zone: organization.timeZone })
        .from(packageLine)
        .innerJoin(organization, eq(organization.id, packageLine.sellerId))
        .where(eq(packageLine.id, lineId)),
    ),
  )
  return line?.zone ?? "UTC"
}

/** The id of an affiliate code that the seller has on a line, made when it has none. */
export async function givenCodeId(store: Store, sellerId: number, packageId: string, code: string): Promise<number> {
  const { items: found, revision } = await store.deliveries.linesSold(sellerId, [packageId])
  const [line] = found
  if (line === undefined) throw new Error(`${packageId} is not sold by ${sellerId}`)
  const saved = await store.affiliates.saveCodes(
    sellerId,
    [{ lineId: line.lineId, code, slug: undefined }],
    1,
    revision,
  )
  // The terms were read before a change that is only noticed now.
  if (!saved) return givenCodeId(store, sellerId, packageId, code)
  return (await store.affiliates.codesSold(sellerId, [code])).items[0]?.codeId ?? 0
}

/** Saves the product in place of what is stored now. */
export async function saveProduct(context: Context, body: unknown, actor = "test"): Promise<Problems> {
  const { products } = await context.store.catalogue.contents()
  return saved(changeProduct(context, body, seeing(products.get(productIdOf(body)), actor)))
}

/** Saves the format in place of what is stored now. */
export async function saveFormat(context: Context, body: unknown, actor = "test"): Promise<Problems> {
  const { formats } = await context.store.catalogue.contents()
  return saved(changeFormat(context, body, seeing(formats.get(formatIdOf(body)), actor)))
}

const seeing = (stored: unknown, actor: string) => ({ seen: bodySeen(stored), actor })

async function saved(outcome: Promise<Problems | "changed">): Promise<Problems> {
  const problems = await outcome
  if (problems === "changed") throw new Error("somebody else saved it at the same time")
  return problems
}
