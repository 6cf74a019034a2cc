import type { SQL } from "drizzle-orm"
import type { Opening } from "../../domain/keys/opening.ts"
import { all, asc, eq, exec, type ReadTx, type Step, type Tx } from "./step.ts"

/** The products that are open to a key, by product id. */
export function* openingsOf(tx: ReadTx, agentKeyId: string): Step<Opening[]> {
  return (yield* openingsByKey(tx, eq(tx.opening.agentKeyId, agentKeyId))).get(agentKeyId) ?? []
}

export function* openingsByKey({ db, opening }: ReadTx, which?: SQL): Step<Map<string, Opening[]>> {
  const rows = yield* all(
    db.select().from(opening).where(which).orderBy(asc(opening.agentKeyId), asc(opening.productId)),
  )
  const byKey = new Map<string, Opening[]>()
  for (const { agentKeyId, productId, territories } of rows) {
    const openings = byKey.get(agentKeyId) ?? []
    openings.push({ productId, territories: JSON.parse(territories) as string[] })
    byKey.set(agentKeyId, openings)
  }
  return byKey
}

/** Opens the product to the key, or changes the territories it is opened for. */
export function* saveOpening({ db, opening }: Tx, agentKeyId: string, opened: Opening): Step<void> {
  const territories = JSON.stringify(opened.territories)
  const inserting = db.insert(opening).values({ agentKeyId, productId: opened.productId, territories })
  const target = [opening.agentKeyId, opening.productId]
  yield* exec(inserting.onConflictDoUpdate({ target, set: { territories } }))
}
