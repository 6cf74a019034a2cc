import { BUILT_IN_FORMATS, withOperatorFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { brokenProblems, checkFormat, type StoredCatalogue } from "../../domain/adcp/catalogue/check-format.ts"
import { refsOfProduct } from "../../domain/adcp/catalogue/format-names.ts"
import { digestOf } from "../../domain/adcp/digest.ts"
import type { CreativeFormat } from "../../domain/adcp/schema/creative-format.ts"
import { isObject, type Problem } from "../../domain/schema/explain.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { deleteStoredFormat, saveFormat, storedFormats, storedProducts } from "../../storage/catalogue/catalogue.ts"
import type { ReadTx, Tx } from "../../storage/database.ts"
import type { Actor, Context } from "../context.ts"
import type { Saved } from "./products.ts"

export interface ListedFormat {
  readonly id: string
  readonly format: CreativeFormat
  /** "replaced": the operator's version of a built-in format. "own": a format that only the operator has. */
  readonly state: "built-in" | "replaced" | "hidden" | "own"
  /** The IDs of the products that take it. */
  readonly usedBy: readonly string[]
}

/** Every format of this server, with hidden ones, in the order of their IDs. */
export async function listFormats(read: ReadTx): Promise<ListedFormat[]> {
  const stored = await storedFormats(read)
  const users = usersOf(await storedProducts(read))
  const ids = [...new Set([...BUILT_IN_FORMATS.keys(), ...stored.keys()])].sort()
  return ids.flatMap((id) => {
    const format = stored.get(id) ?? BUILT_IN_FORMATS.get(id)
    return format === undefined ? [] : [{ id, format, state: stateOf(id, stored), usedBy: users.get(id) ?? [] }]
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
    const own = refsOfProduct(product).flatMap(([, ref]) => (ref.agent_url === undefined ? [ref.id] : []))
    for (const formatId of new Set(own)) users.set(formatId, [...(users.get(formatId) ?? []), id])
  }
  return users
}

/** Differs after every change of what the operator stored for a format. */
export const formatVersion = (stored: CreativeFormat | null | undefined): string =>
  digestOf(JSON.stringify(stored ?? null))

/** Everything that is wrong with a format, without saving it. */
const problemsOfFormat = async (read: ReadTx, format: unknown): Promise<Problem[]> =>
  checkFormat(format, withOperatorFormats(await storedFormats(read)))

/** Saves a format. One with the ID of a built-in format replaces it. `version` is null for a new format. */
export async function changeFormat(
  { database, clock }: Context,
  actor: Actor,
  format: unknown,
  version: string | null,
): Promise<Saved | "changed"> {
  return database.transact(async (tx) => {
    const problems = await problemsOfFormat(tx, format)
    if (problems.length > 0) return { problems }
    const id = formatIdOf(format)
    const before = (await storedFormats(tx)).get(id)
    if (version === null && before) return { problems: [TAKEN] }
    if (version !== null && formatVersion(before) !== version) return "changed"
    return write(tx, id, format as CreativeFormat, { at: clock(), actor, text: `saved the format ${id}` })
  })
}

const TAKEN: Problem = { pointer: "/format_id/id", message: "another format has this ID", keyword: "rule" }

export function formatIdOf(format: unknown): string {
  const ref = isObject(format) ? format["format_id"] : undefined
  return isObject(ref) ? String(ref["id"]) : ""
}

/** Hides a built-in format, unless something refers to it. */
export async function hideFormat({ database, clock }: Context, actor: Actor, id: string): Promise<Saved> {
  if (!BUILT_IN_FORMATS.has(id)) return { problems: [NOT_BUILT_IN] }
  return database.transact((tx) => write(tx, id, null, { at: clock(), actor, text: `hid the format ${id}` }))
}

const NOT_BUILT_IN: Problem = {
  pointer: "",
  message: "isn’t a built-in format, so it can’t be hidden",
  keyword: "rule",
}

/** Deletes what the operator stored for a format, unless something refers to it. A built-in format is then shown again. */
export async function deleteFormat({ database, clock }: Context, actor: Actor, id: string): Promise<Saved> {
  return database.transact(async (tx) => {
    const catalogue = await catalogueIn(tx)
    const formats = new Map([...catalogue.formats].filter(([each]) => each !== id))
    const problems = brokenProblems({ ...catalogue, formats })
    if (problems.length > 0) return { problems }
    await deleteStoredFormat(tx, id)
    await addAuditEntry(tx, { at: clock(), actor, organizationId: null, text: `deleted the format ${id}` })
    return { saved: true }
  })
}

interface Change {
  readonly at: number
  readonly actor: Actor
  readonly text: string
}

async function write(tx: Tx, id: string, format: CreativeFormat | null, { at, actor, text }: Change): Promise<Saved> {
  const catalogue = await catalogueIn(tx)
  const problems = brokenProblems({ ...catalogue, formats: new Map([...catalogue.formats, [id, format]]) })
  if (problems.length > 0) return { problems }
  await saveFormat(tx, id, format, at)
  await addAuditEntry(tx, { at, actor, organizationId: null, text })
  return { saved: true }
}

export async function catalogueIn(read: ReadTx): Promise<StoredCatalogue> {
  const products = await storedProducts(read)
  return { products: new Map(products.map(({ id, product }) => [id, product])), formats: await storedFormats(read) }
}
