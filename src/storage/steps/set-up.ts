import { countDistinct, sql, type Table } from "drizzle-orm"
import type { HealthReads } from "../port/store.ts"
import { eq, first, isNull, type Steps } from "./step.ts"

const ONE_ROW = sql`(SELECT 1) AS one_row`
const any = (table: Table) => sql<number>`CASE WHEN EXISTS (SELECT 1 FROM ${table}) THEN 1 ELSE 0 END`
const countOf = (table: Table) => sql`(SELECT count(*) FROM ${table})`.mapWith(Number)

/** What an installation has: for its first steps, and for its overview. */
export function setUpReads({ query }: Pick<Steps, "query">): Pick<HealthReads, "setUpProgress" | "counts"> {
  return {
    setUpProgress: () =>
      query(function* ({ db, organization, packageLine, ingestKey, deliveryTotal, product, agentKey, opening }) {
        const columns = {
          organization: any(organization),
          line: any(packageLine),
          ingestKey: any(ingestKey),
          delivery: any(deliveryTotal),
          product: any(product),
          agentKey: any(agentKey),
          opening: any(opening),
        }
        const row = yield* first(db.select(columns).from(ONE_ROW))
        const has = (step: keyof typeof columns) => row?.[step] === 1
        return {
          organization: has("organization"),
          line: has("line"),
          ingestKey: has("ingestKey"),
          delivery: has("delivery"),
          product: has("product"),
          agentKey: has("agentKey"),
          opening: has("opening"),
        }
      }),
    counts: () =>
      query(function* ({ db, organization, user, product, opening, agentKey }) {
        const columns = { organizations: countOf(organization), users: countOf(user), products: countOf(product) }
        const things = yield* first(db.select(columns).from(ONE_ROW))
        const keys = db.select({ keysWithProducts: countDistinct(opening.agentKeyId) }).from(opening)
        const active = keys.innerJoin(agentKey, eq(agentKey.id, opening.agentKeyId)).where(isNull(agentKey.revokedAt))
        return { organizations: 0, users: 0, products: 0, keysWithProducts: 0, ...things, ...(yield* first(active)) }
      }),
  }
}
