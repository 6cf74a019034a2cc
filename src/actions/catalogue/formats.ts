import { BUILT_IN_FORMATS } from "../../domain/adcp/catalogue/built-in.ts"
import { brokenRefs, checkFormat, type StoredCatalogue } from "../../domain/adcp/catalogue/check.ts"
import type { CreativeFormat } from "../../domain/adcp/schema/creative-format.ts"
import { digestOf } from "../../domain/adcp/text.ts"
import { isObject, type Problem } from "../../domain/schema/explain.ts"
import { deleteStoredFormat, saveFormat, storedFormats, storedProducts } from "../../storage/catalogue/catalogue.ts"
import type { ReadTx, Tx } from "../../storage/database.ts"
import { type Actor, type Context, change } from "../context.ts"
import type { Saved } from "./products.ts"

export interface ListedFormat {
  readonly id: string
  readonly format: CreativeFormat
  /** "replaced": the operator's version of a built-in format. "own": a format that only the operator has. */
  readonly state: "built-in" | "replaced" | "hidden" | "own"
  /** The IDs of the products that take it. */
  readonly usedBy: readonly string[]
  /** Differs after every change of what the operator stored for it. */
  readonly version: string
}

/** Every format of this server, with hidden ones, in the order of their IDs. */
export async function listFormats(read: ReadTx): Promise<ListedFormat[]> {
  const stored = await storedFormats(read)
  const users = usersOf(await storedProducts(read))
  const ids = [...new Set([...BUILT_IN_FORMATS.keys(), ...stored.keys()])].sort()
  return ids.flatMap((id) => {
    const format = stored.get(id) ?? BUILT_IN_FORMATS.get(id)
    if (format === undefined) return []
    return [{ id, format, state: stateOf(id, stored), usedBy: users.get(id) ?? [], version: versionOf(stored.get(id)) }]
  })
}

function stateOf(id: string, stored: StoredCatalogue["formats"]): ListedFormat["state"] {
  if (!stored.has(id)) return "built-in"
  if (stored.get(id) === null) return "hidden"
  return BUILT_IN_FORMATS.has(id) ? "replaced" : "own"
}

function usersOf(products: Awaited<ReturnType<typeof storedProducts>>): ReadonlyMap<string, string[]> {
  const users = new Map<string, string[]>()
  for (const { id, product } of products) {
    const own = (product.format_ids ?? []).flatMap((ref) => (ref.agent_url === undefined ? [ref.id] : []))
    for (const formatId of new Set(own)) users.set(formatId, [...(users.get(formatId) ?? []), id])
  }
  return users
}

const versionOf = (stored: CreativeFormat | null | undefined): string => digestOf(JSON.stringify(stored ?? null))

/** Saves a format. One with the ID of a built-in format replaces it. `version` is null for a new format. */
export async function changeFormat(
  context: Context,
  actor: Actor,
  format: unknown,
  version: string | null,
): Promise<Saved | "changed"> {
  const problems = checkFormat(format)
  if (problems.length > 0) return { problems }
  const id = formatIdOf(format)
  return change(context, actor, async (tx, audit) => {
    const before = (await storedFormats(tx)).get(id)
    if (version === null && before) return { problems: [problem("/format_id/id", "another format has this ID")] }
    if (version !== null && versionOf(before) !== version) return "changed"
    const problems = await write(tx, id, format as CreativeFormat)
    if (problems.length > 0) return { problems }
    await audit(null, `saved the format ${id}`)
    return { saved: true }
  })
}

const problem = (pointer: string, message: string): Problem => ({ pointer, message, keyword: "rule" })

export function formatIdOf(format: unknown): string {
  const ref = isObject(format) ? format["format_id"] : undefined
  return isObject(ref) ? String(ref["id"] ?? "") : ""
}

/** Hides a built-in format, unless a product takes it. */
export async function hideFormat(context: Context, actor: Actor, id: string): Promise<Saved> {
  if (!BUILT_IN_FORMATS.has(id)) return { problems: [problem("", "isn’t a built-in format, so it can’t be hidden")] }
  return rewrite(context, actor, id, null)
}

/** Deletes what the operator stored for a format, unless a product takes it. A built-in format is then shown again. */
export const deleteFormat = (context: Context, actor: Actor, id: string): Promise<Saved> =>
  rewrite(context, actor, id, undefined)

const rewrite = (context: Context, actor: Actor, id: string, format: null | undefined): Promise<Saved> =>
  change(context, actor, async (tx, audit) => {
    const problems = await write(tx, id, format)
    if (problems.length > 0) return { problems }
    await audit(null, `${format === null ? "hid" : "deleted"} the format ${id}`)
    return { saved: true }
  })

/** Stores a format, null to hide the built-in one, or undefined for nothing. Returns why it can't. */
async function write(tx: Tx, id: string, format: CreativeFormat | null | undefined): Promise<Problem[]> {
  const { products, formats } = await catalogueIn(tx)
  const after = new Map(formats)
  if (format === undefined) after.delete(id)
  else after.set(id, format)
  const problems = brokenRefs({ products, formats: after }).map((broken) => broken.problem)
  if (problems.length > 0) return problems
  if (format === undefined) await deleteStoredFormat(tx, id)
  else await saveFormat(tx, id, format)
  return []
}

export async function catalogueIn(read: ReadTx): Promise<StoredCatalogue> {
  const products = await storedProducts(read)
  return { products: new Map(products.map(({ id, product }) => [id, product])), formats: await storedFormats(read) }
}
