import { sql } from "drizzle-orm"
import { lineColumns, lineFields } from "../../domain/campaign/line-fields.ts"
import { inParts } from "../../domain/event-loop.ts"
import type { ImportPlan } from "../../domain/import/import-plan.ts"
import { TIME_ZONE_DEFAULT } from "../../domain/people/organization.ts"
import type { User } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { KeyRecord } from "../port/keys.ts"
import { haveFigures } from "./campaigns.ts"
import { forgetDays } from "./closing-days.ts"
import { organizations } from "./organizations.ts"
import { all, type BulkRows, eq, exec, flag, inArray, isNull, type Step, type Tx } from "./step.ts"

// How each part of an import is written. Of several rows with one key the last counts, as if they were written one after the other.

export interface Count {
  readonly created: number
  readonly updated: number
}

const counted = (planned: number, created: number): Count => ({ created, updated: planned - created })

function lastOfEach<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

/** What stands after ON CONFLICT, so that existing rows are updated, and those that stay the same cost no write. */
function replacing(table: string, key: string, columns: readonly string[]): string {
  const rowOf = (name: string) => `(${columns.map((column) => `${name}.${column}`).join(", ")})`
  const set = columns.map((column) => `${column} = excluded.${column}`).join(", ")
  return `(${key}) DO UPDATE SET ${set} WHERE ${rowOf(table)} IS DISTINCT FROM ${rowOf("excluded")}`
}

const CAMPAIGN = { slug: "text", name: "text", buyer_id: "number", archived: "flag", created_at: "number" } as const
const CAMPAIGN_REPLACED = replacing("campaign", "slug", ["name", "buyer_id", "archived"])

export function* saveCampaigns(tx: Tx, { campaigns }: ImportPlan, at: Moment): Step<Count> {
  const { db, campaign } = tx
  const stored = yield* all(db.select({ slug: campaign.slug, archived: campaign.archived }).from(campaign))
  const archivedOf = new Map(stored.map(({ slug, archived }) => [slug, archived]))
  const buyers = yield* organizationIds(tx)
  const rows = lastOfEach(campaigns, ({ slug }) => slug).map(({ slug, name, buyer, archived }) => ({
    ...{ slug, name, buyer_id: idOf(buyers, buyer), created_at: at },
    archived: archived === undefined ? (archivedOf.get(slug) ?? 0) : flag(archived),
  }))
  yield* exec(tx.insertMany("campaign", { columns: CAMPAIGN, rows }, CAMPAIGN_REPLACED))
  return counted(campaigns.length, rows.filter(({ slug }) => !archivedOf.has(slug)).length)
}

const LINE = {
  ...{ package_id: "text", campaign_id: "number", seller_id: "number", archived: "flag", created_at: "number" },
  ...Object.fromEntries(lineColumns.map(({ column, isNumber }) => [column, isNumber ? "number" : "text"])),
} as BulkRows["columns"]
const LINE_REPLACED = replacing(
  "package_line",
  "package_id",
  Object.keys(LINE).filter((column) => column !== "package_id" && column !== "created_at"),
)

/** Null, and nothing is written, where a line has figures that would mean something else afterwards. */
export function* saveLines(tx: Tx, plan: ImportPlan, at: Moment): Step<Count | null> {
  const { db, packageLine, campaign } = tx
  const planned = lastOfEach(plan.lines, ({ packageId }) => packageId)
  const stored = yield* storedLines(tx, planned)
  const sellers = yield* organizationIds(tx)
  const campaigns = yield* all(db.select({ slug: campaign.slug, id: campaign.id }).from(campaign))
  const campaignIds = new Map(campaigns.map(({ slug, id }) => [slug, id]))
  const changing: number[] = []
  const freed: number[] = []
  const rows = planned.map((line) => {
    const before = stored.get(line.packageId)
    const sellerId = idOf(sellers, line.seller)
    // A field that the file does not have stays.
    const { archived, ...after } = { ...before, ...line }
    if (before !== undefined && (before.pricingBasis !== after.pricingBasis || before.sellerId !== sellerId))
      changing.push(before.id)
    if (before !== undefined && before.externalId !== after.externalId) freed.push(before.id)
    return {
      ...{ package_id: line.packageId, campaign_id: idOf(campaignIds, line.campaign), seller_id: sellerId },
      ...Object.fromEntries(lineColumns.map(({ column, field }) => [column, after[field] ?? null])),
      ...{ archived: flag(Boolean(archived)), created_at: at },
    }
  })
  for (const ids of inParts(changing, ROWS_MAX)) if (yield* haveFigures(tx, inArray(packageLine.id, ids))) return null
  // Lines of a file may exchange their external ids, which no two lines have even for a moment: first, those that change are removed.
  for (const ids of inParts(freed, ROWS_MAX))
    yield* exec(db.update(packageLine).set({ externalId: null }).where(inArray(packageLine.id, ids)))
  yield* exec(tx.insertMany("package_line", { columns: LINE, rows }, LINE_REPLACED))
  return counted(plan.lines.length, rows.length - stored.size)
}

function* storedLines(tx: Tx, planned: ImportPlan["lines"]) {
  const found = []
  for (const some of inParts(planned, ROWS_MAX)) found.push(yield* linesNamed(tx, some))
  return new Map(found.flat().map((line) => [line.packageId, line]))
}

function* linesNamed({ db, packageLine }: Tx, planned: ImportPlan["lines"]) {
  const { id, packageId, sellerId, archived } = packageLine
  const lines = db.select({ id, packageId, sellerId, archived, ...lineFields(packageLine) }).from(packageLine)
  const ids = planned.map((line) => line.packageId)
  return yield* all(lines.where(inArray(packageId, ids)))
}

/** Products, or formats. */
export function* saveBodies(tx: Tx, kind: "formats" | "products", plan: ImportPlan, at: Moment): Step<Count> {
  const [table, key] = kind === "formats" ? ["creative_format", "format_id"] : ["product", "product_id"]
  const ids = yield* all(tx.statement<{ id: string }>(sql.raw(`SELECT ${key} AS id FROM ${table}`)))
  const stored = new Set(ids.map(({ id }) => id))
  const planned = plan[kind].map((row) => ({ id: "formatId" in row ? row.formatId : row.productId, body: row.body }))
  const last = lastOfEach(planned, ({ id }) => id)
  const textOf = (body: unknown) => (body === null ? null : JSON.stringify(body))
  const rows = last.map(({ id, body }) => ({ [key]: id, body: textOf(body), created_at: at, updated_at: at }))
  const columns = { [key]: "text", body: "text", created_at: "number", updated_at: "number" } as const
  const replaced = `(${key}) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`
  if (rows.length > 0) yield* exec(tx.insertMany(table, { columns, rows }, replaced))
  return counted(planned.length, last.filter(({ id }) => !stored.has(id)).length)
}

export function* saveProductSellers(tx: Tx, planned: ImportPlan["productSellers"]): Step<void> {
  if (planned.length === 0) return
  const { db, product } = tx
  const places = yield* organizationIds(tx)
  for (const [seller, same] of Map.groupBy(planned, (row) => row.seller)) {
    const sellerId = seller === null ? null : idOf(places, seller)
    for (const part of inParts(same, ROWS_MAX)) {
      const ids = part.map(({ productId }) => productId)
      yield* exec(db.update(product).set({ sellerId }).where(inArray(product.productId, ids)))
    }
  }
}

function* organizationIds(tx: Tx): Step<Map<string, number>> {
  return new Map((yield* organizations(tx)).map(({ slug, id }) => [slug, id]))
}

/** A file without a time zone leaves the stored one. */
export function* saveOrganizations(tx: Tx, planned: ImportPlan["organizations"], at: Moment): Step<Count> {
  const { db, organization } = tx
  const stored = new Map((yield* organizations(tx)).map((each) => [each.slug, each]))
  const rows = [...Map.groupBy(planned, ({ slug }) => slug)].map(([slug, same]) => {
    const timeZone = same.findLast((each) => each.timeZone !== null)?.timeZone ?? stored.get(slug)?.timeZone
    return { slug, name: same.at(-1)?.name ?? "", timeZone: timeZone ?? TIME_ZONE_DEFAULT, createdAt: at }
  })
  for (const { slug, timeZone } of rows) {
    const before = stored.get(slug)
    if (before !== undefined && before.timeZone !== timeZone) yield* forgetDays(tx, before.id)
  }
  const set = { name: sql`excluded.name`, timeZone: sql`excluded.time_zone` }
  for (const values of inParts(rows, ROWS_MAX))
    yield* exec(db.insert(organization).values(values).onConflictDoUpdate({ target: organization.slug, set }))
  return counted(planned.length, rows.filter(({ slug }) => !stored.has(slug)).length)
}

/** Somebody who is in several organizations has several rows. */
export function* saveUsers(tx: Tx, planned: ImportPlan["users"], stored: readonly User[], at: Moment): Step<Count> {
  const { db, user, membership } = tx
  const before = new Map(stored.map((person) => [person.email, person]))
  const byEmail = Map.groupBy(planned, ({ email }) => email)
  const people = [...byEmail].map(([email, same]) => {
    const isOperator = same.findLast((row) => row.isOperator !== null)?.isOperator ?? before.get(email)?.isOperator
    return { email, name: same.at(-1)?.name ?? "", isOperator: flag(isOperator ?? false), createdAt: at }
  })
  const ids = new Map<string, number>()
  const set = { name: sql`excluded.name`, isOperator: sql`excluded.is_operator` }
  for (const values of inParts(people, ROWS_MAX)) {
    const saving = db.insert(user).values(values).onConflictDoUpdate({ target: user.email, set })
    for (const { email, id } of yield* all(saving.returning({ id: user.id, email: user.email }))) ids.set(email, id)
  }
  const places = yield* organizationIds(tx)
  const roles = planned.flatMap(({ email, membership: given }) => {
    if (given === null) return []
    return [{ userId: idOf(ids, email), organizationId: idOf(places, given.organization), role: given.role }]
  })
  const target = [membership.userId, membership.organizationId]
  const last = lastOfEach(roles, ({ userId, organizationId }) => `${userId} ${organizationId}`)
  for (const values of inParts(last, ROWS_MAX))
    yield* exec(
      db
        .insert(membership)
        .values(values)
        .onConflictDoUpdate({ target, set: { role: sql`excluded.role` } }),
    )
  return counted(planned.length, people.filter(({ email }) => !before.has(email)).length)
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`${name} is not stored`)
  return id
}

interface ImportedKey extends Pick<KeyRecord, "id" | "label" | "prefix"> {
  readonly isNew: boolean
  /** As the file says it; absent where it says nothing. */
  readonly buyer?: string | null
}

/** A label that has an active key keeps it. What is opened to the keys is written by the caller. */
export function* saveAgentKeys(
  tx: Tx,
  planned: ImportPlan["agentKeys"],
  newKeys: ReadonlyMap<string, KeyRecord>,
): Step<ImportedKey[]> {
  const { db, agentKey } = tx
  const columns = { id: agentKey.id, label: agentKey.label, prefix: agentKey.prefix }
  if (planned.length === 0) return []
  const active = yield* all(db.select(columns).from(agentKey).where(isNull(agentKey.revokedAt)))
  const stored = new Map(active.map((key) => [key.label, key]))
  const saved: ImportedKey[] = []
  const places = yield* organizationIds(tx)
  for (const { label, buyer } of planned) {
    const fresh = newKeys.get(label)
    const key = stored.get(label) ?? fresh
    if (key === undefined) throw new Error(`no key was made for the label ${label}`)
    const isNew = !stored.has(label)
    if (isNew && fresh !== undefined) yield* exec(db.insert(agentKey).values(fresh))
    stored.set(label, key)
    const buyerId = buyer ? idOf(places, buyer) : null
    if (buyer !== undefined) yield* exec(db.update(agentKey).set({ buyerId }).where(eq(agentKey.id, key.id)))
    saved.push({ id: key.id, label, prefix: key.prefix, isNew, ...(buyer !== undefined && { buyer }) })
  }
  return saved
}

// Neither engine takes any number of values in one statement.
const ROWS_MAX = 5_000
