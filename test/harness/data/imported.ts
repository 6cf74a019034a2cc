import { importFile } from "../../../src/actions/import/import-file.ts"
import { createKey } from "../../../src/actions/keys.ts"
import { organizationBySlug } from "../../../src/storage/organizations.ts"
import type { TestApp } from "../app.ts"

/** Imports a file, and creates an API key for one of its organizations. */
export async function importedKey(app: TestApp, file: unknown, slug: string): Promise<string> {
  const outcome = await importFile(app, "test", file)
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems))
  const organization = await organizationBySlug(app.database.read, slug)
  const created = await createKey(app, "test", { organizationId: organization?.id ?? 0, label: "Ad server" })
  if ("errors" in created) throw new Error(JSON.stringify(created.errors))
  return created.key
}
