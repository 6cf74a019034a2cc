import { isStale } from "../../domain/edit-conflict.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import type { Change } from "../../domain/people/audit.ts"
import { audit } from "../../storage/steps/audit.ts"
import { openingsOf } from "../../storage/steps/keys.ts"
import { and, eq, exec, first, type Step, type Tx } from "../../storage/steps/step.ts"
import { verb } from "../context.ts"
import { activeKey } from "./keys.ts"

/** Opens a product to the active agent key with this id or prefix, or changes its territories. */
export const openProduct = verb(function* (tx, idOrPrefix: string, opening: Opening, by: Change) {
  const key = yield* activeKey(tx, "agentKey", idOrPrefix)
  if (key === undefined) return { outcome: "not found" } as const
  const { productId } = tx.product
  const product = yield* first(tx.db.select({ productId }).from(tx.product).where(eq(productId, opening.productId)))
  if (product === undefined) return { outcome: "no product" } as const
  yield* saveOpening(tx, key.id, opening)
  yield* audit(tx, by, { action: "open product", subject: key.id, details: opening })
  return { outcome: "done", ...key } as const
})

/** Closes a product to the active agent key with this id or prefix. */
export const closeProduct = verb(function* (tx, idOrPrefix: string, productId: string, by: Change) {
  const key = yield* activeKey(tx, "agentKey", idOrPrefix)
  if (key === undefined) return { outcome: "not found" } as const
  if ((yield* territoriesOf(tx, key.id, productId)).length === 0) return { outcome: "not open" } as const
  const { db, opening } = tx
  yield* exec(db.delete(opening).where(and(eq(opening.agentKeyId, key.id), eq(opening.productId, productId))))
  yield* audit(tx, by, { action: "close product", subject: key.id, details: { productId } })
  return { outcome: "done", ...key } as const
})

/** Opens a product to a key, changes its territories or, without any, closes it: "changed" where it is no longer open as it was seen. */
export const editOpening = verb(function* (tx, keyId: string, opening: Opening, by: Change) {
  const { productId, territories } = opening
  if (isStale(by.seen, { territories: yield* territoriesOf(tx, keyId, productId) }))
    return { outcome: "changed" } as const
  return territories.length === 0
    ? yield* closeProduct.step(tx, keyId, productId, by)
    : yield* openProduct.step(tx, keyId, opening, by)
})

function* territoriesOf(tx: Tx, keyId: string, productId: string): Step<readonly string[]> {
  return (yield* openingsOf(tx, keyId)).find((opening) => opening.productId === productId)?.territories ?? []
}

/** Opens the product to the key, or changes the territories it is opened for. */
export function* saveOpening({ db, opening }: Tx, agentKeyId: string, { productId, territories }: Opening): Step<void> {
  const inserting = db.insert(opening).values({ agentKeyId, productId, territories })
  const target = [opening.agentKeyId, opening.productId]
  yield* exec(inserting.onConflictDoUpdate({ target, set: { territories } }))
}
