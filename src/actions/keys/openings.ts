import { normalTerritories, type Opening, readTerritories } from "../../domain/keys/opening.ts"
import type { Change } from "../../domain/people/audit.ts"
import { audit } from "../../storage/steps/audit.ts"
import { openingsByKey } from "../../storage/steps/keys.ts"
import { and, eq, exec, first, inArray, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact, verb } from "../context.ts"
import { activeKey, type KeyChange } from "./keys.ts"

/** Opens a product to the active agent key with this id or prefix, or changes its territories. */
export const openProduct = verb(openToKey)

export function* openToKey(
  tx: Tx,
  idOrPrefix: string,
  opening: Opening,
  by: Change,
): Step<KeyChange | { readonly outcome: "no product" }> {
  const key = yield* activeKey(tx, "agentKey", idOrPrefix)
  if (key === undefined) return { outcome: "not found" }
  const { productId } = tx.product
  const product = yield* first(tx.db.select({ productId }).from(tx.product).where(eq(productId, opening.productId)))
  if (product === undefined) return { outcome: "no product" }
  yield* changeOpening(tx, { ...opening, agentKeyId: key.id }, by)
  return { outcome: "done", ...key }
}

/** Closes a product to the active agent key with this id or prefix. */
export const closeProduct = verb(closeToKey)

export function* closeToKey(
  tx: Tx,
  idOrPrefix: string,
  productId: string,
  by: Change,
): Step<KeyChange | { readonly outcome: "not open" }> {
  const key = yield* activeKey(tx, "agentKey", idOrPrefix)
  if (key === undefined) return { outcome: "not found" }
  const change = { agentKeyId: key.id, productId, territories: [] }
  const opening = yield* first(tx.db.select().from(tx.opening).where(openingIs(tx, change)))
  if (opening === undefined) return { outcome: "not open" }
  yield* changeOpening(tx, change, by)
  return { outcome: "done", ...key }
}

/** A typed cell of the table of keys and products; empty closes the product. */
export interface OpeningCell {
  readonly agentKeyId: string
  readonly productId: string
  readonly text: string
}

export type OpeningsOutcome =
  | OpeningsChange
  | { readonly outcome: "refused"; readonly wrong: readonly (OpeningCell & { readonly message: string })[] }

type OpeningsChange =
  | { readonly outcome: "done"; readonly opened: number; readonly closed: number }
  /** Someone else changed the catalogue since the table was shown. */
  | { readonly outcome: "changed meanwhile" }

/** Opens, changes or closes products as the cells say; all or nothing. `seenRevision` is the revision that was shown. */
export async function editOpenings(
  context: Context,
  cells: readonly OpeningCell[],
  seenRevision: number,
  actor: string,
): Promise<OpeningsOutcome> {
  const wanted: OpeningChange[] = []
  const wrong: (OpeningCell & { readonly message: string })[] = []
  for (const cell of cells) {
    const read = readTerritories(cell.text)
    const { agentKeyId, productId } = cell
    if (read.ok) wanted.push({ agentKeyId, productId, territories: normalTerritories(read.codes) })
    else wrong.push({ ...cell, message: read.message })
  }
  if (wrong.length > 0) return { outcome: "refused", wrong }
  return transact(context, (tx) => changeOpenings(tx, wanted, seenRevision, { actor, at: context.clock() }))
}

/** How a product shall be open to a key: without territories it is closed. */
interface OpeningChange extends Opening {
  readonly agentKeyId: string
}

export function* changeOpenings(
  tx: Tx,
  wanted: readonly OpeningChange[],
  seenRevision: number,
  by: Change,
): Step<OpeningsChange> {
  if (tx.catalogueRevision() !== seenRevision) return { outcome: "changed meanwhile" }
  const keyIds = [...new Set(wanted.map(({ agentKeyId }) => agentKeyId))]
  const before = yield* openingsByKey(tx, inArray(tx.opening.agentKeyId, keyIds))
  const changes = wanted.filter(({ agentKeyId, productId, territories }) => {
    const current = before.get(agentKeyId)?.find((opening) => opening.productId === productId)
    return territories.join() !== (current?.territories ?? []).join()
  })
  for (const change of changes) yield* changeOpening(tx, change, by)
  const closed = changes.filter(({ territories }) => territories.length === 0).length
  return { outcome: "done", opened: changes.length - closed, closed }
}

function* changeOpening(tx: Tx, change: OpeningChange, by: Change): Step<void> {
  const { agentKeyId, productId, territories } = change
  const closes = territories.length === 0
  if (closes) yield* exec(tx.db.delete(tx.opening).where(openingIs(tx, change)))
  else yield* saveOpening(tx, agentKeyId, change)
  const details = closes ? { productId } : { productId, territories }
  yield* audit(tx, by, { action: closes ? "close product" : "open product", subject: agentKeyId, details })
}

/** Opens the product to the key, or changes the territories it is opened for. */
export function* saveOpening({ db, opening }: Tx, agentKeyId: string, opened: Opening): Step<void> {
  const territories = JSON.stringify(opened.territories)
  const inserting = db.insert(opening).values({ agentKeyId, productId: opened.productId, territories })
  const target = [opening.agentKeyId, opening.productId]
  yield* exec(inserting.onConflictDoUpdate({ target, set: { territories } }))
}

function openingIs({ opening }: Tx, { agentKeyId, productId }: OpeningChange) {
  return and(eq(opening.agentKeyId, agentKeyId), eq(opening.productId, productId))
}
