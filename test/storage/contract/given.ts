import { expect } from "bun:test"
import { addToCampaign } from "../../../src/actions/campaigns/lines.ts"
import type { NewPerson } from "../../../src/actions/people/users.ts"
import type { CatalogueEdit } from "../../../src/domain/adcp/catalogue/catalogue-edit.ts"
import type { PricingBasis } from "../../../src/domain/campaign/pricing-basis.ts"
import type { DeliveryEffect, DeliverySource } from "../../../src/domain/delivery/delivery.ts"
import type { ImportPlan } from "../../../src/domain/import/import-plan.ts"
import type { Change } from "../../../src/domain/people/audit.ts"
import type { MemberRole, Organization } from "../../../src/domain/people/organization.ts"
import type { User } from "../../../src/domain/people/user.ts"
import { EMPTY_SUMMARY, NO_CHOICES } from "../../../src/domain/upload/upload.ts"
import type { HistoryCursor, KeyRecord, NewLine, ReportedTotal } from "../../../src/storage/port/store.ts"
import type { MovableClock } from "../../clock.ts"
import { zoneOfLine } from "../../given.ts"
import type { Engine, EngineUnderTest } from "./engine.ts"
import { byRequests } from "./methods.ts"
import type { Store } from "./whole-store.ts"

// What the contracts start from, made through the port alone.

/** An import of nothing. */
export const NOTHING: ImportPlan = {
  organizations: [],
  users: [],
  campaigns: [],
  lines: [],
  formats: [],
  products: [],
  productSellers: [],
  agentKeys: [],
}

export const SECOND = 1_000_000
export const HOUR = 3_600 * SECOND
export const SOURCE: DeliverySource = { kind: "command", reference: "r", detail: "" }

/** A fresh store `here`, and `there`, the store of another process on the same data; each call is a request of its own. */
export interface Given extends EngineUnderTest {
  readonly here: Store
  readonly there: Store
  readonly stores: readonly [Store, Store]
  /** A change by the command line, now. */
  change(seen?: string): Change
}

export async function given(engine: Engine): Promise<Given> {
  const opened = await engine.open()
  const { store, clock } = opened
  const here = byRequests(store)
  const there = byRequests(await opened.again())
  return {
    store,
    clock,
    here,
    there,
    stores: [here, there],
    again: () => opened.again(),
    change: (seen) => changeAt(clock, seen),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

function changeAt(clock: MovableClock, seen: string | undefined): Change {
  return { actor: "command", at: clock(), ...(seen !== undefined && { seen }) }
}

/** The active key of a fingerprint, as the next request with it finds it; null when there is none. */
export async function findKey(store: Store, kind: "ingest" | "agent", fingerprint: string) {
  const admitted = await store.admissions[kind](fingerprint, { name: "contract", limit: 1_000 }, 0)
  return admitted === null ? null : admitted.key
}

/** What is there, or the end of the test. */
export function need<Value>(value: Value | null | undefined, what = "what was made"): Value {
  if (value === null || value === undefined) throw new Error(`${what} is not there`)
  return value
}

export async function givenOrganization({ store, change }: Given, slug: string, timeZone = "UTC") {
  return need(await store.organizations.create({ slug, name: `The ${slug}`, timeZone }, change()), slug)
}

export async function givenUser(
  { store, change }: Given,
  email: string,
  fields: Partial<NewPerson> = {},
): Promise<User> {
  const plain = { name: email, isOperator: false, passwordHash: null, membership: null }
  return need(await store.users.create({ email, ...plain, ...fields }, change()), email)
}

export function givenMember(at: Given, email: string, { id: organizationId }: Organization, role: MemberRole) {
  return givenUser(at, email, { membership: { organizationId, role } })
}

/** A line priced on impressions whose flight started on 2026-11-01, unless wished otherwise. */
export function newLine(wishes: Partial<NewLine> = {}): NewLine {
  return {
    packageId: crypto.randomUUID(),
    name: "A line",
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: null,
    booked: null,
    rate: null,
    currency: null,
    externalId: null,
    ...wishes,
  }
}

export interface GivenLine {
  readonly packageId: string
  readonly lineId: number
  readonly campaign: string
  readonly pricingBasis: PricingBasis
}

/** A campaign with one line of the seller. */
export async function givenLine(
  { store, change }: Given,
  seller: Organization,
  buyer: Organization,
  wishes: Partial<NewLine> & { readonly campaign?: string } = {},
): Promise<GivenLine> {
  const { campaign: name = "A campaign", ...fields } = wishes
  const line = newLine(fields)
  const made = await store.campaigns.create(seller.id, { name, buyer: { slug: buyer.slug } }, line, change())
  return lineOf(store, seller, line.packageId, need(made))
}

/** One more line in a campaign that has one. */
export async function givenLineIn(
  { store, change }: Given,
  campaign: string,
  seller: Organization,
  wishes: Partial<NewLine> = {},
): Promise<GivenLine> {
  const line = newLine(wishes)
  if (!(await store.campaigns.addLine(seller.id, campaign, line, change()))) throw new Error(`no line in ${campaign}`)
  return lineOf(store, seller, line.packageId, campaign)
}

async function lineOf(store: Store, seller: Organization, packageId: string, campaign: string): Promise<GivenLine> {
  const [found] = await store.packageLines.findSold(seller.id, [packageId])
  const { lineId, pricingBasis } = need(found)
  return { packageId, lineId, campaign, pricingBasis }
}

/** Two sellers and a buyer, and a line that the first one sells to the buyer. */
export async function givenMarket(engine: Engine) {
  const at = await given(engine)
  const acme = await givenOrganization(at, "acme")
  const other = await givenOrganization(at, "other")
  const brand = await givenOrganization(at, "brand")
  return { ...at, acme, other, brand, line: await givenLine(at, acme, brand) }
}

const LINES_AT_ONCE = 50

/** The same with as many lines in its campaign. */
export async function givenMarketOf(engine: Engine, count: number) {
  const at = await givenMarket(engine)
  const more = Array.from({ length: count - 1 }, () => newLine())
  for (let from = 0; from < more.length; from += LINES_AT_ONCE)
    await at.store.transact(function* (tx) {
      for (const line of more.slice(from, from + LINES_AT_ONCE))
        yield* addToCampaign(tx, at.acme.id, at.line.campaign, line, at.change())
    })
  const ids = more.map(({ packageId }) => packageId)
  const added = await at.store.packageLines.findSold(at.acme.id, ids)
  return { ...at, lines: [at.line.lineId, ...added.map((line) => need(line).lineId)] }
}

/** Keeps totals judged by nobody. What else was written meanwhile may be a reason to judge again, as often as it takes. */
export async function keep(
  store: Store,
  totals: readonly ReportedTotal[],
  { receivedAt = 100 * HOUR, source = SOURCE } = {},
): Promise<DeliveryEffect[]> {
  for (;;) {
    const { revision } = await store.deliveries.linesSold(0, [])
    const timeZone = await zoneOfLine(store, totals[0]?.lineId ?? 0)
    const effects = await store.deliveries.record(totals, { receivedAt, source, timeZone }, revision)
    if (effects !== null) return effects
  }
}

/** Every report of a line as its seller sees it, page after page. */
export async function wholeHistory(store: Store, lineId: number) {
  const found: Awaited<ReturnType<Store["deliveryHistory"]["page"]>>["entries"] = []
  for (let from: HistoryCursor | null | undefined; from !== null; ) {
    const page = await store.deliveryHistory.page(lineId, "seller", from ?? null, 1_000)
    found.push(...page.entries)
    from = page.next
  }
  return found
}

let keys = 0

export function newKey(label: string, createdAt = 1): KeyRecord {
  const id = `key-${++keys}`
  return { id, label, prefix: `prefix-${keys}`, fingerprint: `fingerprint-${keys}`, createdAt }
}

/** Exactly one of several racers won. */
export function winners<Outcome>(outcomes: readonly Outcome[], won: (outcome: Outcome) => boolean): number {
  return outcomes.filter(won).length
}

/** Makes an edit whatever was edited before. */
export async function editCatalogue({ here, change }: Given, edit: CatalogueEdit): Promise<void> {
  expect(await here.catalogue.edit(edit, await here.catalogue.revision(), change())).toBe(true)
}

export function saveProduct(at: Given, id: string, body: unknown = { product_id: id }): Promise<void> {
  return editCatalogue(at, { what: "save product", id, body })
}

/** A file that waits for a decision, without an organization. */
export const A_FILE = {
  kind: "delivery",
  fileName: "a.csv",
  state: "open",
  bytes: 4,
  rows: 1,
  choices: NO_CHOICES,
  summary: EMPTY_SUMMARY,
} as const
