import { ImportFile } from "../../domain/import/import-file.ts"
import { type ExistingData, planImport } from "../../domain/import/import-plan.ts"
import { problemsOfImport } from "../../domain/import/import-problems.ts"
import { type Complaint, checkFor } from "../../domain/schema/check.ts"
import type { Imported } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"
import { makeKey } from "../keys/key.ts"
import { newId } from "../new-id.ts"
import { catalogueChecks } from "./catalogue-checks.ts"

export type ImportOutcome =
  | { readonly ok: false; readonly problems: readonly Complaint[] }
  | { readonly ok: true; readonly imported: Imported; readonly secrets: ReadonlyMap<string, string> }

const checkShape = checkFor(ImportFile)

/** Checks the whole file, then writes all of it or nothing. Returns the secrets of new agent keys by label. */
export async function importCatalogue(context: Context, value: unknown, actor: string): Promise<ImportOutcome> {
  const known = await context.store.importExport.known()
  const problems = problemsOf(value, known)
  if (problems.length > 0) return { ok: false, problems }
  const plan = planImport(value as ImportFile, known, () => newId(context.random))
  const made = new Map(plan.agentKeys.map(({ label }) => [label, makeKey(context, "agent", label)]))
  const records = new Map([...made].map(([label, { record }]) => [label, record]))
  const change = { actor, at: context.clock() }
  const imported = await writesOf(context).importExport.apply(plan, records, known.revision, change)
  // The catalogue changed since we read it: check the references of the file again.
  if (imported === null) return importCatalogue(context, value, actor)
  return { ok: true, imported, secrets: new Map([...made].map(([label, { secret }]) => [label, secret])) }
}

function problemsOf(value: unknown, known: ExistingData): readonly Complaint[] {
  const shape = checkShape(value)
  // Products and formats are checked even if another part is invalid, so that one run lists every problem.
  if (!shape.ok) return [...shape.complaints, ...catalogueProblems(value, known)]
  return problemsOfImport(shape.value, known, catalogueChecks(shape.value, known))
}

function catalogueProblems(value: unknown, known: ExistingData): readonly Complaint[] {
  const { formats, products } = (value ?? {}) as { formats?: unknown; products?: unknown }
  const only: ImportFile = {
    ...(Array.isArray(formats) && { formats }),
    ...(Array.isArray(products) && { products }),
  }
  return problemsOfImport(only, known, catalogueChecks(only, known))
}
