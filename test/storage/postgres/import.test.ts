import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import type { Change } from "../../../src/domain/people/audit.ts"
import { postgresStore } from "../../../src/storage/postgres/index.ts"
import { NOTHING } from "../contract/given.ts"
import { wholeStore } from "../contract/whole-store.ts"
import { freshDatabase, noPostgres } from "./server.ts"

const BY: Change = { actor: "command", at: 1 }
const ACME = { slug: "acme", name: "Acme", timeZone: "UTC" }
const OTHER = { slug: "other", name: "Other", timeZone: "UTC" }
const PLAN = {
  ...NOTHING,
  organizations: [{ ...ACME, name: "Imported" }],
  campaigns: [{ slug: "autumn", name: "Autumn", buyer: "acme" }],
}

/** An import that is under way: it waits for a row that somebody else holds. */
async function givenImportUnderWay() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await freshDatabase())
  const store = wholeStore(opened.use((await postgresStore(`${database.url}&pool_size=3`)).store))
  for (const organization of [ACME, OTHER]) await store.organizations.create(organization, BY)
  const { revision } = await store.importExport.known()
  const holder = new SQL(database.url, { max: 1 })
  opened.defer(() => holder.close())
  await holder.unsafe("BEGIN; SELECT 1 FROM organization WHERE slug = 'acme' FOR UPDATE").simple()
  const importing = store.importExport.apply(PLAN, new Map(), revision, BY)
  const isWaiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
  while ((await holder.unsafe(isWaiting)).length === 0) await holder.unsafe("SELECT pg_stat_clear_snapshot()")
  const close = opened.move()
  return {
    store,
    importing,
    letGo: () => holder.unsafe("ROLLBACK"),
    [Symbol.asyncDispose]: () => close.disposeAsync(),
  }
}

describe.skipIf(noPostgres !== null)("an import into PostgreSQL", () => {
  test("keeps nobody waiting while its lines are written", async () => {
    await using at = await givenImportUnderWay()
    await at.store.health.tryWriting()
    at.store.refusals.note({ hour: 0, door: "agent", status: 401 })
    await at.store.flushWriteBuffer()
    await at.letGo()
    expect(await at.importing).toMatchObject({ organizations: { created: 0, updated: 1 }, campaigns: { created: 1 } })
  })

  test("is made again, and once, when something else was changed meanwhile", async () => {
    await using at = await givenImportUnderWay()
    await at.store.organizations.edit("other", { name: "Edited", timeZone: "UTC" }, BY)
    await at.letGo()
    expect(await at.importing).toMatchObject({ organizations: { created: 0, updated: 1 }, campaigns: { created: 1 } })
    const { organizations, campaigns } = await at.store.importExport.snapshot()
    expect(organizations.map(({ name }) => name)).toEqual(["Imported", "Edited"])
    expect(campaigns).toHaveLength(1)
    const { entries } = await at.store.audit.list({ action: "import file" }, { before: null, limit: 10 })
    expect(entries).toHaveLength(1)
  })

  test("writes nothing of it when the catalogue was changed meanwhile", async () => {
    await using at = await givenImportUnderWay()
    const { catalogue, importExport } = at.store
    const edit = { what: "save product", id: "p", body: {} } as const
    expect(await catalogue.edit(edit, (await catalogue.contents()).revision, BY)).toBe(true)
    await at.letGo()
    expect(await at.importing).toBeNull()
    expect(await importExport.snapshot()).toMatchObject({ organizations: [ACME, OTHER], campaigns: [] })
  })
})
