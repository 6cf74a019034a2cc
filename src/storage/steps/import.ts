import { type SQL, sql } from "drizzle-orm"
import { lineColumns } from "../../domain/campaign/line-fields.ts"
import { type ImportPlan, plannedValue } from "../../domain/import/import-plan.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import { TIME_ZONE_DEFAULT } from "../../domain/people/organization.ts"
import type { User } from "../../domain/people/user.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { KeyRecord } from "../port/keys.ts"
import { LINE_SQL } from "./campaign-lines.ts"
import { haveFigures } from "./campaigns.ts"
import { outdateDays } from "./line-days.ts"
import { organizations } from "./organizations.ts"
import { all, type BulkRows, type BulkTx, eq, exec, flag, inArray, isNull, type Step, type Tx } from "./step.ts"

// How each part of an import is written. Of several rows with one key the last counts, as if they were written one after the other.

export type Count = Readonly<{ created: number; updated: number }>

type LongPart = "campaigns" | "lines" | "formats" | "products"
export type ImportTx = BulkTx<LongPart>

export function longParts({ campaigns, lines, formats, products }: ImportPlan): Record<LongPart, BulkRows> {
  return {
    campaigns: {
      columns: { slug: "text", name: "text", buyer: "text", archived: "flag" },
      rows: lastOfEach(campaigns, ({ slug }) => slug).map((row) => ({ ...row, archived: flagOf(row.archived) })),
    },
    lines: {
      columns: {
        ...{ package_id: "text", campaign: "text", seller: "text", archived: "flag" },
        ...Object.fromEntries(lineColumns.map(({ column, isNumber }) => [column, isNumber ? "number" : "text"])),
      },
      rows: lastOfEach(lines, ({ packageId }) => packageId).map((line) => ({
        ...{ package_id: line.packageId, campaign: line.campaign, seller: line.seller },
        archived: flagOf(line.archived),
        ...Object.fromEntries(lineColumns.map((column) => [column.column, plannedValue(line, column)])),
      })),
    },
    formats: bodies(formats.map(({ formatId, body }) => ({ id: formatId, body }))),
    products: bodies(products.map(({ productId, body }) => ({ id: productId, body }))),
  }
}

const flagOf = (archived: boolean | undefined) => (archived === undefined ? null : flag(archived))

function bodies(rows: readonly { readonly id: string; readonly body: unknown }[]): BulkRows {
  const texts = lastOfEach(rows, ({ id }) => id).map(({ id, body }) => ({
    id,
    body: body === null ? null : JSON.stringify(body),
  }))
  return { columns: { id: "text", body: "text" }, rows: texts }
}

const lastOfEach = <Row>(rows: readonly Row[], keyOf: (row: Row) => string) => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
]

// Existing rows are updated; rows that stay the same cost no write.

export function saveCampaigns(tx: ImportTx, { campaigns }: ImportPlan, at: Moment): Step<Count> {
  const from = tx.given.campaigns
  const insert = sql`INSERT INTO campaign (slug, name, buyer_id, archived, created_at)
    SELECT p.slug, p.name, o.id, coalesce(p.archived, b.archived, 0), CAST(${at} AS bigint)
    FROM ${from} JOIN organization o ON o.slug = p.buyer LEFT JOIN campaign b ON b.slug = p.slug
    WHERE TRUE ORDER BY p.place
    ON CONFLICT (slug) DO UPDATE SET name = excluded.name, buyer_id = excluded.buyer_id, archived = excluded.archived
      WHERE (campaign.name, campaign.buyer_id, campaign.archived)
        IS DISTINCT FROM (excluded.name, excluded.buyer_id, excluded.archived)`
  return saved(tx, campaigns.length, { from, key: "slug", existing: sql`campaign b WHERE b.slug`, insert })
}

export function* saveLines(tx: ImportTx, { lines }: ImportPlan, at: Moment): Step<Count> {
  const from = tx.given.lines
  // Lines of a file may exchange their external ids, which no two lines have even for a moment: first, those that change are removed.
  const freeExternalIds = sql`UPDATE package_line SET external_id = NULL WHERE external_id IS NOT NULL AND package_id IN
    (SELECT p.package_id FROM ${from} LEFT JOIN package_line l ON l.package_id = p.package_id
     WHERE p.external_id <> l.external_id)`
  if (lines.length > 0) yield* exec(tx.statement(freeExternalIds))
  const written = sql.raw(LINE_SQL.columns)
  const values = sql.raw(LINE_SQL.imported(({ column }) => `p.${column}`))
  const insert = sql`INSERT INTO package_line (package_id, campaign_id, seller_id, ${written}, archived, created_at)
    SELECT p.package_id, c.id, o.id, ${values}, coalesce(p.archived, b.archived, 0), CAST(${at} AS bigint)
    FROM ${from} JOIN campaign c ON c.slug = p.campaign JOIN organization o ON o.slug = p.seller
      LEFT JOIN package_line b ON b.package_id = p.package_id
    WHERE TRUE ORDER BY p.place
    ON CONFLICT (package_id) DO UPDATE SET ${sql.raw(LINE_SQL.replaced)}
      WHERE ${sql.raw(LINE_SQL.row("package_line"))} IS DISTINCT FROM ${sql.raw(LINE_SQL.row("excluded"))}`
  const existing = sql`package_line b WHERE b.package_id`
  return yield* saved(tx, lines.length, { from, key: "package_id", existing, insert })
}

export function saveBodies(tx: ImportTx, kind: "formats" | "products", planned: number, at: Moment): Step<Count> {
  const from = tx.given[kind]
  const [table, key] = kind === "formats" ? ["creative_format", "format_id"] : ["product", "product_id"]
  const insert = sql`INSERT INTO ${sql.raw(table)} (${sql.raw(key)}, body, created_at, updated_at)
    SELECT p.id, p.body, CAST(${at} AS bigint), CAST(${at} AS bigint) FROM ${from} WHERE TRUE ORDER BY p.place
    ON CONFLICT (${sql.raw(key)}) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`
  return saved(tx, planned, { from, key: "id", existing: sql.raw(`${table} b WHERE b.${key}`), insert })
}

export function* saveProductSellers(tx: Tx, planned: ImportPlan["productSellers"]): Step<void> {
  if (planned.length === 0) return
  const { db, product } = tx
  const organizationIds = new Map((yield* organizations(tx)).map(({ slug, id }) => [slug, id]))
  for (const [seller, same] of Map.groupBy(planned, (row) => row.seller)) {
    const sellerId = seller === null ? null : idOf(organizationIds, seller)
    for (const part of inParts(same, ROWS_MAX)) {
      const ids = part.map(({ productId }) => productId)
      yield* exec(db.update(product).set({ sellerId }).where(inArray(product.productId, ids)))
    }
  }
}

type Saving = Readonly<{ from: SQL; key: string; existing: SQL; insert: SQL }>

function* saved(tx: ImportTx, planned: number, { from, key, existing, insert }: Saving): Step<Count> {
  if (planned === 0) return { created: 0, updated: 0 }
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${existing} = p.${sql.raw(key)})`
  const counting = sql`SELECT count(*) AS created FROM ${from} WHERE ${isNew}`
  const [counted] = yield* all(tx.statement<{ created: number }>(counting))
  yield* exec(tx.statement(insert))
  const created = counted?.created ?? 0
  return { created, updated: planned - created }
}

/** The ids of lines whose figures would mean something else after the import. To be read before the lines are written. */
export function* linesThatChange(tx: ImportTx, { lines }: ImportPlan): Step<number[]> {
  if (lines.length === 0) return []
  const changing = sql`SELECT l.id FROM ${tx.given.lines}
    LEFT JOIN package_line l ON l.package_id = p.package_id LEFT JOIN organization o ON o.id = l.seller_id
    WHERE l.pricing_basis <> p.pricing_basis OR o.slug <> p.seller`
  return (yield* all(tx.statement<{ id: number }>(changing))).map(({ id }) => id)
}

/** Whether any of these lines has figures by now. */
export function* haveFiguresByNow(tx: Tx, lineIds: readonly number[]): Step<boolean> {
  for (const ids of inParts(lineIds, ROWS_MAX)) if (yield* haveFigures(tx, inArray(tx.packageLine.id, ids))) return true
  return false
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
    if (before !== undefined && before.timeZone !== timeZone) yield* outdateDays(tx, before.id)
  }
  const set = { name: sql`excluded.name`, timeZone: sql`excluded.time_zone` }
  for (const values of inParts(rows, ROWS_MAX))
    yield* exec(db.insert(organization).values(values).onConflictDoUpdate({ target: organization.slug, set }))
  return counted(planned.length, rows.filter(({ slug }) => !stored.has(slug)).length)
}

/** A person in several organizations has several rows. Of an account that is there only the name changes. */
export function* saveUsers(tx: Tx, planned: ImportPlan["users"], stored: readonly User[], at: Moment): Step<Count> {
  const { db, user, membership } = tx
  const before = new Map(stored.map((person) => [person.email, person]))
  const byEmail = Map.groupBy(planned, ({ email }) => email)
  const people = [...byEmail].map(([email, same]) => {
    const isOperator = same.findLast((row) => row.isOperator !== null)?.isOperator ?? false
    return { email, name: same.at(-1)?.name ?? "", isOperator: flag(isOperator), createdAt: at }
  })
  const ids = new Map<string, number>()
  const set = { name: sql`excluded.name` }
  for (const values of inParts(people, ROWS_MAX)) {
    const saving = db.insert(user).values(values).onConflictDoUpdate({ target: user.email, set })
    for (const { email, id } of yield* all(saving.returning({ id: user.id, email: user.email }))) ids.set(email, id)
  }
  const organizationIds = new Map((yield* organizations(tx)).map(({ slug, id }) => [slug, id]))
  const roles = planned.flatMap(({ email, membership: given }) => {
    if (given === null || before.has(email)) return []
    return [{ userId: idOf(ids, email), organizationId: idOf(organizationIds, given.organization), role: given.role }]
  })
  const last = lastOfEach(roles, ({ userId, organizationId }) => `${userId} ${organizationId}`)
  for (const values of inParts(last, ROWS_MAX)) yield* exec(db.insert(membership).values(values))
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
export function* saveAgentKeys(tx: Tx, planned: ImportPlan["agentKeys"], newKeys: ReadonlyMap<string, KeyRecord>) {
  const { db, agentKey } = tx
  const columns = { id: agentKey.id, label: agentKey.label, prefix: agentKey.prefix }
  if (planned.length === 0) return []
  const active = yield* all(db.select(columns).from(agentKey).where(isNull(agentKey.revokedAt)))
  const stored = new Map(active.map((key) => [key.label, key]))
  const saved: ImportedKey[] = []
  const organizationIds = new Map((yield* organizations(tx)).map(({ slug, id }) => [slug, id]))
  for (const { label, buyer } of planned) {
    const fresh = newKeys.get(label)
    const key = stored.get(label) ?? fresh
    if (key === undefined) throw new Error(`no key was made for the label ${label}`)
    const isNew = !stored.has(label)
    if (isNew && fresh !== undefined) yield* exec(db.insert(agentKey).values(fresh))
    stored.set(label, key)
    const buyerId = buyer ? idOf(organizationIds, buyer) : null
    if (buyer !== undefined) yield* exec(db.update(agentKey).set({ buyerId }).where(eq(agentKey.id, key.id)))
    saved.push({ id: key.id, label, prefix: key.prefix, isNew, ...(buyer !== undefined && { buyer }) })
  }
  return saved
}

const counted = (planned: number, created: number): Count => ({ created, updated: planned - created })

// Neither engine takes any number of values in one statement.
const ROWS_MAX = 5_000
