import { and, eq, isNull } from "drizzle-orm"
import type { ImportPlan, PlannedUser } from "../../../domain/import/import-plan.ts"
import type { Change } from "../../../domain/people/audit.ts"
import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import type { Count, Imported, KeyRecord } from "../../port/store.ts"
import { saveOpening } from "../../steps/openings.ts"
import { forgetDays } from "../../steps/organizations.ts"
import { changingRights } from "../../steps/rights.ts"
import { all, exec, first, type Step, type Tx } from "../../steps/step.ts"
import { catalogueChanged } from "../engine/catalogue-revision.ts"
import type { Connection } from "../engine/connection.ts"
import { runNow, txOn } from "../engine/steps.ts"
import { agentKey, organization } from "../schema.ts"
import { addAuditEntry } from "../tables/audit.ts"
import type { Staged } from "./stage-import.ts"

/** Writes a whole plan. Call it inside a transaction, so that a plan is applied completely or not at all. */
export function applyPlan(
  connection: Connection,
  plan: ImportPlan,
  staged: Staged,
  newKeys: ReadonlyMap<string, KeyRecord>,
  change: Change,
): Imported {
  const imported: Imported = {
    organizations: each(plan.organizations, (planned) => saveOrganization(connection, planned, change)),
    users: each(plan.users, (planned) => runNow(saveUser(txOn(connection), planned, change))),
    campaigns: staged.take("campaign", change),
    lines: staged.take("line", change),
    formats: staged.take("format", change),
    products: staged.take("product", change),
    agentKeys: plan.agentKeys.map((planned) => saveAgentKey(connection, planned, newKeys)),
  }
  catalogueChanged(connection)
  addAuditEntry(connection, change, { action: "import file", subject: "catalogue", details: imported })
  return imported
}

type Written = "created" | "updated"

function each<Planned>(planned: readonly Planned[], write: (one: Planned) => Written): Count {
  const written = planned.map(write)
  const created = written.filter((what) => what === "created").length
  return { created, updated: written.length - created }
}

function saveOrganization(
  connection: Connection,
  { slug, name, timeZone }: ImportPlan["organizations"][number],
  change: Change,
): Written {
  const { drizzle } = connection
  const { id, timeZone: zone } = organization
  const stored = drizzle.select({ id, zone }).from(organization).where(eq(organization.slug, slug)).get()
  if (stored === undefined) {
    const values = { slug, name, timeZone: timeZone ?? TIME_ZONE_DEFAULT, createdAt: change.at }
    drizzle.insert(organization).values(values).run()
    return "created"
  }
  // A file without a time zone leaves the stored one.
  const set = timeZone === null ? { name } : { name, timeZone }
  drizzle.update(organization).set(set).where(eq(id, stored.id)).run()
  if (timeZone !== null && timeZone !== stored.zone) runNow(forgetDays(txOn(connection), stored.id))
  return "updated"
}

function* saveUser(tx: Tx, planned: PlannedUser, change: Change): Step<Written> {
  const { db, user } = tx
  const columns = { id: user.id, isOperator: user.isOperator }
  const stored = yield* first(db.select(columns).from(user).where(eq(user.email, planned.email)))
  const writing = writeUser(tx, planned, stored?.isOperator ?? 0, change)
  yield* stored === undefined ? writing : changingRights(tx, stored.id, writing)
  return stored === undefined ? "created" : "updated"
}

function* writeUser(tx: Tx, planned: PlannedUser, wasOperator: number, change: Change): Step<void> {
  const { db, user, membership, organization } = tx
  const { email, name } = planned
  const isOperator = planned.isOperator === null ? wasOperator : Number(planned.isOperator)
  const inserting = db.insert(user).values({ email, name, isOperator, createdAt: change.at })
  const saving = inserting.onConflictDoUpdate({ target: user.email, set: { name, isOperator } })
  const [saved] = yield* all(saving.returning({ userId: user.id }))
  if (planned.membership === null || saved === undefined) return
  const { organization: slug, role } = planned.membership
  const [place] = yield* all(db.select({ id: organization.id }).from(organization).where(eq(organization.slug, slug)))
  if (place === undefined) throw new Error(`the organization ${slug} is not stored`)
  const joining = db.insert(membership).values({ ...saved, organizationId: place.id, role })
  const target = [membership.userId, membership.organizationId]
  yield* exec(joining.onConflictDoUpdate({ target, set: { role } }))
}

function saveAgentKey(
  connection: Connection,
  { label, openings, buyer }: ImportPlan["agentKeys"][number],
  newKeys: ReadonlyMap<string, KeyRecord>,
): Imported["agentKeys"][number] {
  const { drizzle } = connection
  const sameLabel = and(eq(agentKey.label, label), isNull(agentKey.revokedAt))
  const stored = drizzle.select({ id: agentKey.id, prefix: agentKey.prefix }).from(agentKey).where(sameLabel).get()
  const key = stored ?? newKeys.get(label)
  if (key === undefined) throw new Error(`no key was made for the label ${label}`)
  const fresh = stored === undefined ? newKeys.get(label) : undefined
  if (fresh) drizzle.insert(agentKey).values(fresh).run()
  for (const opening of openings) runNow(saveOpening(txOn(connection), key.id, opening))
  if (buyer !== undefined) {
    const { id, slug } = organization
    const named = drizzle
      .select({ id })
      .from(organization)
      .where(eq(slug, buyer ?? ""))
      .get()
    drizzle
      .update(agentKey)
      .set({ buyerId: named?.id ?? null })
      .where(eq(agentKey.id, key.id))
      .run()
  }
  const said = buyer === undefined ? {} : { buyer }
  return { id: key.id, label, prefix: key.prefix, isNew: fresh !== undefined, ...said }
}
