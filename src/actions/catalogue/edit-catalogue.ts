import { builtInFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import type { CatalogueEdit, OpenTo, OwnedCatalogue } from "../../domain/adcp/catalogue/catalogue-edit.ts"
import { problemsOfEdit } from "../../domain/adcp/catalogue/catalogue-edit.ts"
import { type Seen, seenOf } from "../../domain/edit-conflict.ts"
import { formatIdOf, productIdOf } from "../../domain/import/import-plan.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { SchemaProblem } from "../../domain/schema/check.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { audit } from "../../storage/steps/audit.ts"
import { organizationBySlug } from "../../storage/steps/organizations.ts"
import { eq, exec, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import { activeKey } from "../keys/keys.ts"
import { openProduct } from "../keys/openings.ts"
import { endOrders } from "../sale/answer-order.ts"

/** Empty when the edit was written. */
export type Problems = readonly SchemaProblem[]

/** Who edits, and what they saw. What was not seen is not compared. */
type Author = Omit<Change, "at">

/** Who sells it: a slug, or null for nobody in particular; absent, it stays. And who is shown it from now on. */
type Sale = Readonly<{ seller?: string | null; openTo?: OpenTo }>

/** Saves a product unless somebody else changed it since it was seen; a new one was seen as undefined. */
export const changeProduct = (context: Context, body: unknown, by: Author, sale: Sale = {}) =>
  edit(context, { what: "save product", id: productIdOf(body), body, ...sale }, by)

/** Saves a format unless somebody else changed it since it was seen; one with the id of a built-in format replaces it. */
export const changeFormat = (context: Context, body: unknown, by: Author) => edit(context, formatEdit(body), by)

/** What is wrong with a format, without saving it. */
export const problemsOfFormat = async ({ store }: Context, body: unknown): Promise<Problems> =>
  problemsOfEdit(await store.catalogue.contents(), formatEdit(body))

/** What is wrong with a product, without saving it. */
export const problemsOfProduct = async ({ store }: Context, body: unknown): Promise<Problems> =>
  problemsOfEdit(await store.catalogue.contents(), { what: "save product", id: productIdOf(body), body })

// A null body would hide the format, which is another action.
const formatEdit = (body: unknown) => ({ what: "save format", id: formatIdOf(body), body: body ?? {} }) as const

export const bodySeen = (stored: unknown, seller?: string): Seen => seenOf({ body: stored, seller })

/** Deletes a product with all its openings. */
export const deleteProduct = (context: Context, id: string, actor: string) =>
  editUnseen(context, { what: "delete product", id }, actor)

/** Hides a built-in format from the agent's catalogue, unless something refers to it. */
export async function hideFormat(context: Context, id: string, actor: string): Promise<Problems> {
  const builtIn = builtInFormats.some((format) => format.format_id.id === id)
  if (!builtIn) return [{ pointer: "", message: "is not a built-in format, so it cannot be hidden" }]
  return editUnseen(context, { what: "save format", id, body: null }, actor)
}

/** Deletes what the operator stored for a format id; a built-in format is then shown again as it was. */
export const deleteFormat = (context: Context, id: string, actor: string) =>
  editUnseen(context, { what: "delete format", id }, actor)

async function editUnseen(context: Context, wanted: CatalogueEdit, actor: string): Promise<Problems> {
  const problems = await edit(context, wanted, { actor })
  return problems === "changed" ? [] : problems
}

/** Makes the edit unless a problem prevents it, or somebody changed what was seen; both are checked at the revision that is written. */
async function edit(context: Context, wanted: CatalogueEdit, by: Author): Promise<Problems | "changed"> {
  const { revision, ...contents } = await context.store.catalogue.contents()
  if (by.seen !== undefined && seenNow(contents, wanted) !== by.seen) return "changed"
  const missing = [...(await sellerProblems(context, wanted)), ...(await keyProblems(context, wanted))]
  const problems = [...missing, ...problemsOfEdit(contents, wanted)]
  if (problems.length > 0) return problems
  const isWritten = await transact(context, (tx) => writeEdit(tx, wanted, revision, { ...by, at: context.clock() }))
  // The catalogue changed between our read and our write, or its seller is gone: try again.
  return isWritten ? [] : edit(context, wanted, by)
}

async function sellerProblems({ store }: Context, edit: CatalogueEdit): Promise<Problems> {
  const isKnown =
    edit.what !== "save product" || edit.seller == null || (await store.organizations.findBySlug(edit.seller)) !== null
  return isKnown ? [] : [{ pointer: "/seller", message: "is an organization that does not exist" }]
}

async function keyProblems({ store }: Context, edit: CatalogueEdit): Promise<Problems> {
  if (edit.what !== "save product" || edit.openTo === undefined) return []
  const active = new Set(
    (await store.agentKeys.list()).filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id),
  )
  const isGone = edit.openTo.keys.some((key) => !active.has(key))
  return isGone ? [{ pointer: "/open_to", message: "one of these buyers’ keys was revoked" }] : []
}

/**
 * False, and nothing is written, when the catalogue is no longer at the revision that the edit was checked against, or who shall sell or
 * see the product is gone. To check a long catalogue takes a while, so that is done before, while others go on.
 */
export function* writeEdit(tx: Tx, edit: CatalogueEdit, checkedRevision: number, by: Change): Step<boolean> {
  if (tx.catalogueRevision() !== checkedRevision) return false
  const owned = edit.what === "save product" ? yield* ownerOf(tx, edit.seller) : {}
  if (owned === null) return false
  const { keys, territories } = (edit.what === "save product" ? edit.openTo : undefined) ?? NOBODY
  for (const key of keys) if ((yield* activeKey(tx, "agentKey", key)) === undefined) return false
  yield* writeBody(tx, edit, owned, by.at)
  for (const key of keys) yield* openProduct.step(tx, key, { productId: edit.id, territories }, by)
  if (edit.what === "delete product") yield* endOrders.step(tx, by)
  const hides = edit.what === "save format" && edit.body === null
  yield* audit(tx, by, { action: hides ? "hide format" : edit.what, subject: edit.id })
  return true
}

const NOBODY: OpenTo = { keys: [], territories: [] }

type Owned = Readonly<{ sellerId?: number | null }>

/** Who sells it, as it is stored: nothing where it stays, null where that organization is gone. */
function* ownerOf(tx: Tx, seller: string | null | undefined): Step<Owned | null> {
  if (seller == null) return seller === undefined ? {} : { sellerId: null }
  const found = yield* organizationBySlug(tx, seller)
  return found && { sellerId: found.id }
}

function* writeBody(tx: Tx, edit: CatalogueEdit, owned: Owned, at: Moment): Step<void> {
  const { db, product, creativeFormat } = tx
  const { productId } = product
  const { formatId } = creativeFormat
  switch (edit.what) {
    case "save product": {
      const saved = { body: JSON.stringify(edit.body), updatedAt: at, ...owned }
      const inserting = db.insert(product).values({ productId: edit.id, ...saved, createdAt: at })
      return yield* exec(inserting.onConflictDoUpdate({ target: productId, set: saved }))
    }
    case "delete product":
      return yield* exec(db.delete(product).where(eq(productId, edit.id)))
    case "save format": {
      const saved = { body: edit.body === null ? null : JSON.stringify(edit.body), updatedAt: at }
      const inserting = db.insert(creativeFormat).values({ formatId: edit.id, ...saved, createdAt: at })
      return yield* exec(inserting.onConflictDoUpdate({ target: formatId, set: saved }))
    }
    case "delete format":
      return yield* exec(db.delete(creativeFormat).where(eq(formatId, edit.id)))
  }
}

function seenNow({ products, formats, sellers }: OwnedCatalogue, { what, id }: CatalogueEdit): Seen {
  const isProduct = what === "save product" || what === "delete product"
  return isProduct ? bodySeen(products.get(id), sellers.get(id)) : bodySeen(formats.get(id))
}
