import { forEachField } from "../../../domain/campaign/line-fields.ts"
import { type ImportPlan, plannedValue } from "../../../domain/import/import-plan.ts"
import type { Change } from "../../../domain/people/audit.ts"
import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import type { Count, Imported, KeyRecord } from "../../port/store.ts"
import type { Session } from "../engine/session.ts"
import { addAuditEntry } from "../tables/audit.ts"
import { PLAN_SQL } from "./plan-sql.ts"

// Each kind is one statement, which gets its rows as one JSON text. Of several rows with one key the last counts, as if they were
// written one after the other.

export type Sold = Pick<Imported, "organizations" | "campaigns" | "lines">

/** Writes the long part of a plan. */
export async function saveSold(transaction: Session, plan: ImportPlan, by: Change): Promise<Sold> {
  const save = (statement: string, planned: readonly unknown[], rows: readonly unknown[]) =>
    saved(transaction, statement, planned.length, rows, by)
  await transaction.rows(PLAN_SQL.useMemory)
  await transaction.rows(PLAN_SQL.forgetDays, [JSON.stringify(organizationRows(plan))])
  return {
    organizations: await save(PLAN_SQL.organizations, plan.organizations, organizationRows(plan)),
    campaigns: await save(
      PLAN_SQL.campaigns,
      plan.campaigns,
      lastOfEach(plan.campaigns, ({ slug }) => slug),
    ),
    lines: await saveLines(transaction, plan, by),
  }
}

async function saveLines(transaction: Session, { lines }: ImportPlan, by: Change): Promise<Count> {
  const rows = lastOfEach(lines, ({ packageId }) => packageId)
  const named = rows.map((line) => ({ ...line, ...forEachField((column) => plannedValue(line, column)) }))
  await transaction.rows(PLAN_SQL.freeExternalIds, [JSON.stringify(named)])
  return saved(transaction, PLAN_SQL.lines, lines.length, named, by)
}

/** Writes the rest, in the same transaction. */
export async function saveRest(
  transaction: Session,
  plan: ImportPlan,
  sold: Sold,
  newKeys: ReadonlyMap<string, KeyRecord>,
  by: Change,
): Promise<Imported> {
  const formats = withText(lastOfEach(plan.formats, ({ formatId }) => formatId))
  const products = withText(lastOfEach(plan.products, ({ productId }) => productId))
  const imported: Imported = {
    ...sold,
    users: await saveUsers(transaction, plan, by),
    formats: await saved(transaction, PLAN_SQL.formats, plan.formats.length, formats, by),
    products: await saved(transaction, PLAN_SQL.products, plan.products.length, products, by),
    agentKeys: await saveAgentKeys(transaction, plan, newKeys),
  }
  await addAuditEntry(transaction, by, { action: "import file", subject: "catalogue", details: imported })
  return imported
}

/** The ids of lines whose figures would mean something else after the import. */
export async function linesThatChange({ rows }: Session, { lines }: ImportPlan): Promise<number[]> {
  if (lines.length === 0) return []
  const asked = lines.map(({ packageId, pricingBasis, seller }) => ({ packageId, pricingBasis, seller }))
  const found = await rows<{ id: number }>(PLAN_SQL.linesThatChange, [JSON.stringify(asked)])
  return found.map(({ id }) => id)
}

/** Whether any of these lines has figures by now. */
export async function haveFigures({ rows }: Session, lineIds: readonly number[]): Promise<boolean> {
  return lineIds.length > 0 && (await rows(PLAN_SQL.haveFigures, [lineIds])).length > 0
}

/** Runs a statement that says of how many rows there was none before. */
async function saved(
  { rows }: Session,
  statement: string,
  planned: number,
  values: readonly unknown[],
  { at }: Change,
): Promise<Count> {
  if (values.length === 0) return { created: 0, updated: 0 }
  const [found] = await rows<{ created: number }>(statement, [JSON.stringify(values), at])
  const created = found?.created ?? 0
  return { created, updated: planned - created }
}

/** A file without a time zone leaves the stored one. */
function organizationRows({ organizations }: ImportPlan) {
  const bySlug = Map.groupBy(organizations, ({ slug }) => slug)
  return [...bySlug.values()].map((same) => ({
    ...same.at(-1),
    timeZone: same.findLast(({ timeZone }) => timeZone !== null)?.timeZone ?? null,
    timeZoneIfNew: TIME_ZONE_DEFAULT,
  }))
}

/** Somebody who is in several organizations has several rows. */
async function saveUsers(transaction: Session, { users }: ImportPlan, by: Change): Promise<Count> {
  const byEmail = Map.groupBy(users, ({ email }) => email)
  const people = [...byEmail.values()].map((same) => ({
    email: same[0]?.email,
    name: same.at(-1)?.name,
    isOperator: same.findLast(({ isOperator }) => isOperator !== null)?.isOperator ?? null,
  }))
  const memberships = users.flatMap(({ email, membership }) => (membership ? [{ email, ...membership }] : []))
  const roles = lastOfEach(memberships, ({ email, organization }) => `${email} ${organization}`)
  await transaction.rows(PLAN_SQL.endLinksOfGaining, [JSON.stringify(people), JSON.stringify(roles)])
  const count = await saved(transaction, PLAN_SQL.users, users.length, people, by)
  await transaction.rows(PLAN_SQL.memberships, [JSON.stringify(roles)])
  return count
}

async function saveAgentKeys(
  { rows }: Session,
  { agentKeys }: ImportPlan,
  newKeys: ReadonlyMap<string, KeyRecord>,
): Promise<Imported["agentKeys"]> {
  const labels = agentKeys.map(({ label }) => label)
  const active = await rows<{ id: string; label: string; prefix: string }>(PLAN_SQL.activeKeys, [labels])
  const stored = new Map(active.map((key) => [key.label, key]))
  const kept = agentKeys.map(({ label, openings, buyer }) => {
    const key = stored.get(label) ?? newKeys.get(label)
    if (key === undefined) throw new Error(`no key was made for the label ${label}`)
    const said = buyer === undefined ? {} : { buyer }
    return { id: key.id, label, prefix: key.prefix, isNew: !stored.has(label), openings, ...said }
  })
  const fresh = new Set(labels.filter((label) => !stored.has(label)))
  await rows(PLAN_SQL.keys, [JSON.stringify([...fresh].map((label) => newKeys.get(label)))])
  const opened = kept.flatMap(({ id, openings }) =>
    openings.map(({ productId, territories }) => ({ id, productId, territories: JSON.stringify(territories) })),
  )
  await rows(PLAN_SQL.openings, [JSON.stringify(lastOfEach(opened, ({ id, productId }) => `${id} ${productId}`))])
  const acting = kept.filter(({ buyer }) => buyer !== undefined)
  await rows(PLAN_SQL.buyers, [JSON.stringify(acting.map(({ id, buyer }) => ({ id, buyer })))])
  return kept.map(({ openings: _, ...key }) => key)
}

function lastOfEach<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

/** Bodies are kept as the text of their JSON. */
function withText<Row extends { readonly body: unknown }>(rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, body: row.body === null ? null : JSON.stringify(row.body) }))
}
