import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { type Migration, migrations } from "../../../../migrations/postgres/index.ts"
import { readAddress } from "../../../../src/domain/operations/database-url.ts"
import { openPools } from "../../../../src/storage/postgres/engine/connect.ts"
import { migrate, SCHEMA_VERSION } from "../../../../src/storage/postgres/engine/migrate.ts"
import { emptyDatabase, freshDatabase, noPostgres } from "../server.ts"

const step = (name: string, sql: string): Migration => ({ name, sql })
const LATER = step("later", 'ALTER TABLE "agent_call" ADD COLUMN "later" text')

async function migrateTo(url: string, steps: readonly Migration[]) {
  await using pools = openPools(readAddress(url))
  return await migrate(pools, "test", {}, steps)
}

// As it was shipped: it wrote the whole table anew.
const SHIPPED_0011 = `ALTER TABLE "agent_call" ADD COLUMN "demand" text COLLATE "C";
  DROP TABLE "demand_brief" CASCADE; DROP TABLE "demand_count" CASCADE; ALTER TABLE "agent_call" drop column "bytes";
  ALTER TABLE "agent_call" ADD COLUMN "bytes" bigint GENERATED ALWAYS AS (octet_length(method) + 120) STORED`

// Without the places of columns: none of ours is found by its place.
const SCHEMA = `
  SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull || a.attgenerated::text || a.attidentity::text
      || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || a.attcollation::regcollation AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'v')
  UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.relnamespace = current_schema()::regnamespace
  UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  UNION ALL SELECT viewname || definition FROM pg_views WHERE schemaname = current_schema()
  ORDER BY 1`

describe.skipIf(noPostgres !== null)("a migration beside servers that run", () => {
  test("whoever ran a migration that was replaced since has the same schema as everybody else", async () => {
    const schemas: unknown[] = []
    const shipped = migrations.map((one) => (one.name.startsWith("0011") ? { ...one, sql: SHIPPED_0011 } : one))
    for (const way of [migrations, shipped]) {
      await using database = await emptyDatabase()
      await migrateTo(database.url, way.slice(0, 9))
      await migrateTo(database.url, way)
      await using client = new SQL(database.url, { max: 1 })
      schemas.push((await client.unsafe<{ line: string }[]>(SCHEMA)).map(({ line }) => line))
    }
    expect(schemas[0]).toEqual(schemas[1])
    expect(schemas[0]).toContainEqual(expect.stringContaining("agent_call.bytes"))
  })

  test("while somebody is in its way, it gives way again and again to whoever came after it", async () => {
    await using database = await freshDatabase()
    await using others = new SQL(database.url, { max: 3 })
    const holder = await others.reserve()
    await holder.unsafe("BEGIN; SELECT count(*) FROM agent_call").simple()
    const migrating = migrateTo(database.url, [...migrations, LATER])
    // Each of these would wait behind it for as long as it waits.
    for (let seen = 0; seen < 3; ) {
      const [waiting] = await others.unsafe<{ found: boolean }[]>(
        "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = 'agent_call'::regclass AND NOT granted) AS found",
      )
      if (waiting?.found) seen += (await others.unsafe("SELECT count(*) FROM agent_call")).length
    }
    await holder.unsafe("COMMIT").simple()
    holder.release()
    expect(await migrating).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION + 1 })
  })

  test("it is never in a deadlock with whoever reads the same tables in another order", async () => {
    await using database = await freshDatabase()
    await using others = new SQL(database.url, { max: 2 })
    const holder = await others.reserve()
    await holder.unsafe("BEGIN; SELECT count(*) FROM product").simple()
    const both = step("both", `${LATER.sql}; ALTER TABLE "product" ADD COLUMN "later" text`)
    const migrating = migrateTo(database.url, [...migrations, both])
    for (let isWaiting = false; !isWaiting; ) {
      const rows = await others.unsafe("SELECT 1 FROM pg_locks WHERE relation = 'product'::regclass AND NOT granted")
      isWaiting = rows.length > 0
    }
    await holder.unsafe("SELECT count(*) FROM agent_call; COMMIT").simple()
    holder.release()
    expect(await migrating).toMatchObject({ to: SCHEMA_VERSION + 1 })
  })

  test("each is kept when it is done: where a later one fails, the next start goes on from there", async () => {
    await using database = await freshDatabase()
    const failing = step("failing", "SELECT 1 / 0")
    await expect(migrateTo(database.url, [...migrations, LATER, failing])).rejects.toThrow(
      `was upgraded from schema ${SCHEMA_VERSION} to ${SCHEMA_VERSION + 1}, but not to ${SCHEMA_VERSION + 2}. `,
    )
    const fixed = step("fixed", 'ALTER TABLE "agent_call" DROP COLUMN "later"')
    expect(await migrateTo(database.url, [...migrations, LATER, fixed])).toEqual({
      from: SCHEMA_VERSION + 1,
      to: SCHEMA_VERSION + 2,
    })
  })
})
