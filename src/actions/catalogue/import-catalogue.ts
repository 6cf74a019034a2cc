import { builtInFormats, catalogueFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { brokenReferences, type CatalogueContents } from "../../domain/adcp/catalogue/catalogue-edit.ts"
import { checkFormat, checkProduct } from "../../domain/adcp/catalogue/check.ts"
import { accountsOf, changedRight } from "../../domain/import/account-rights.ts"
import { ImportFile } from "../../domain/import/import-file.ts"
import type { ExistingData, ImportPlan } from "../../domain/import/import-plan.ts"
import { formatIdOf, planImport, productIdOf } from "../../domain/import/import-plan.ts"
import { type CatalogueChecks, problemsOfImport } from "../../domain/import/import-problems.ts"
import { soundPart } from "../../domain/import/sound-part.ts"
import type { Change } from "../../domain/people/audit.ts"
import { checkFor, type SchemaProblem } from "../../domain/schema/check.ts"
import type { KeyRecord } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import * as steps from "../../storage/steps/import.ts"
import type { ResultOf } from "../../storage/steps/step.ts"
import { usersWhere } from "../../storage/steps/users.ts"
import { type Context, writesOf } from "../context.ts"
import { makeKey } from "../keys/keys.ts"
import { saveOpening } from "../keys/openings.ts"
import { newId } from "../new-id.ts"

export type ImportOutcome =
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] }
  | { readonly ok: true; readonly imported: Imported; readonly secrets: ReadonlyMap<string, string> }

const checkShape = checkFor(ImportFile)

/** Checks the whole file, then writes all of it or nothing. Returns the secrets of new agent keys by label. */
export async function importCatalogue(context: Context, value: unknown, actor: string): Promise<ImportOutcome> {
  const existing = await context.store.importExport.known()
  const problems = problemsOf(value, existing)
  if (problems.length > 0) return { ok: false, problems }
  const plan = planImport(value as ImportFile, existing, () => newId(context.random))
  const made = new Map(plan.agentKeys.map(({ label }) => [label, makeKey(context, "agent", label)]))
  const records = new Map([...made].map(([label, { record }]) => [label, record]))
  const by = { actor, at: context.clock() }
  const imported = await applyPlan(context, plan, records, existing.revision, by)
  // Something changed since we read it: check the file again.
  if (imported === null) return importCatalogue(context, value, actor)
  return { ok: true, imported, secrets: new Map([...made].map(([label, { secret }]) => [label, secret])) }
}

function problemsOf(value: unknown, existing: ExistingData): readonly SchemaProblem[] {
  const shape = checkShape(value)
  if (shape.ok) return problemsOfImport(shape.value, existing, catalogueChecks(shape.value, existing))
  const sound = soundPart(value, shape.problems, existing)
  const others = problemsOfImport(sound.file, sound.known, catalogueChecks(sound.file, existing))
  const inPlace = others.map(({ pointer, message }) => ({
    pointer: sound.placeOf(pointer),
    message: sound.placeOf(message),
  }))
  return [...shape.problems, ...inPlace]
}

type NewKeys = ReadonlyMap<string, KeyRecord>

/** What the plan was checked against is not so any more. What was written of it is undone. */
class Outdated extends Error {
  override readonly name = "Outdated"
}

/**
 * Writes the whole plan in one transaction. `newKeys` has a new key for each label. Null, and nothing is written, when the catalogue is no
 * longer at the revision `checkedRevision`, or when the plan has become one that would have been refused.
 */
export async function applyPlan(
  context: Pick<Context, "store">,
  plan: ImportPlan,
  newKeys: NewKeys,
  checkedRevision: number,
  by: Change,
): Promise<Imported | null> {
  const writing = (tx: steps.ImportTx) => writePlan(tx, plan, newKeys, checkedRevision, by)
  return await writesOf(context)
    .transactBulk(steps.longParts(plan), writing)
    .catch((cause) => {
      if (cause instanceof Outdated) return null
      throw cause
    })
}

type Imported = ResultOf<typeof writePlan>

function* writePlan(tx: steps.ImportTx, plan: ImportPlan, newKeys: NewKeys, checkedRevision: number, by: Change) {
  const { at } = by
  if (tx.catalogueRevision() !== checkedRevision) throw new Outdated("the catalogue was changed")
  const changing = yield* steps.linesThatChange(tx, plan)
  const organizations = yield* steps.saveOrganizations(tx, plan.organizations, at)
  const campaigns = yield* steps.saveCampaigns(tx, plan, at)
  const lines = yield* steps.saveLines(tx, plan, at)
  if (yield* steps.haveFiguresByNow(tx, changing)) throw new Outdated("figures were reported")
  const people = yield* usersWhere(tx, undefined)
  const accounts = accountsOf(people)
  if (plan.users.some((user) => changedRight(accounts, user) !== null)) throw new Outdated("an account was changed")
  const imported = {
    organizations,
    users: yield* steps.saveUsers(tx, plan.users, people, at),
    campaigns,
    lines,
    formats: yield* steps.saveBodies(tx, "formats", plan.formats.length, at),
    products: yield* steps.saveBodies(tx, "products", plan.products.length, at),
    agentKeys: yield* steps.saveAgentKeys(tx, plan.agentKeys, newKeys),
  }
  yield* steps.saveProductSellers(tx, plan.productSellers)
  for (const [place, { id }] of imported.agentKeys.entries())
    for (const opening of plan.agentKeys[place]?.openings ?? []) yield* saveOpening(tx, id, opening)
  yield* audit(tx, by, { action: "import file", subject: "catalogue", details: imported })
  return imported
}

/** Checks formats and products against the catalogue as it will be after the import. */
function catalogueChecks(file: ImportFile, existing: ExistingData): CatalogueChecks {
  const formats = new Map<string, unknown>([
    ...existing.formats,
    ...(file.hidden_formats ?? []).map((id): [string, unknown] => [id, null]),
    ...(file.formats ?? []).map((body): [string, unknown] => [formatIdOf(body), body]),
  ])
  const own = catalogueFormats(formats)
  // What was stored with the fields that they have now.
  const storedFormat = (body: unknown) =>
    file.stored_earlier?.formats?.includes(formatIdOf(body)) ? body : existing.formats.get(formatIdOf(body))
  const storedProduct = (body: unknown) =>
    file.stored_earlier?.products?.includes(productIdOf(body)) ? body : existing.products.get(productIdOf(body))
  const replaced = new Set((file.products ?? []).map(productIdOf))
  const products = new Map([...existing.products].filter(([id]) => !replaced.has(id)))
  return {
    format: (body) => checkFormat(body, own, storedFormat(body)),
    product: (body) => checkProduct(body, own, storedProduct(body)),
    lost: () => {
      const readable = (file.formats ?? []).every((body) => checkFormat(body, own, storedFormat(body)).length === 0)
      return [...unknownHidden(file, existing), ...(readable ? lostFormats(file, { products, formats }) : [])]
    },
  }
}

/** A format that does not exist cannot be hidden: most likely its id is mistyped. */
function unknownHidden({ hidden_formats = [] }: ImportFile, existing: ExistingData): SchemaProblem[] {
  const ids = new Set([...builtInFormats.map(({ format_id }) => format_id.id), ...existing.formats.keys()])
  return hidden_formats.flatMap((id, i) =>
    ids.has(id) ? [] : [{ pointer: `/hidden_formats/${i}`, message: `there is no format "${id}"` }],
  )
}

/** A file must not hide or replace a format that a stored product refers to. */
function lostFormats(file: ImportFile, after: CatalogueContents): SchemaProblem[] {
  const hidden = file.hidden_formats ?? []
  const changed = (file.formats ?? []).map(formatIdOf)
  return brokenReferences(after).flatMap(({ formatId, sentence }) => {
    if (changed.includes(formatId)) return [{ pointer: `/formats/${changed.indexOf(formatId)}`, message: sentence }]
    if (hidden.includes(formatId))
      return [{ pointer: `/hidden_formats/${hidden.indexOf(formatId)}`, message: sentence }]
    return []
  })
}
