import { type ImportFile, ImportFileSchema } from "../../domain/import-file.ts"
import { explain, type Problem, unknownFields } from "../../domain/schema/explain.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { Actor, Context } from "../context.ts"
import { importCampaigns, importLines } from "./campaigns.ts"
import { importBuyerKeys, importFormats, importProducts } from "./catalogue.ts"
import type { Count, Importing } from "./importing.ts"
import { importOrganizations, importUsers } from "./organizations.ts"

// A new time zone writes the days of all reports again.
const TRANSACTION_MS_MAX = 10 * 60_000

export type Imported = Awaited<ReturnType<typeof importAll>>

type ImportOutcome = { readonly problems: readonly Problem[] } | { readonly imported: Imported }

/** Writes the whole file, or writes nothing and returns every problem in it. */
export async function importFile({ database, clock }: Context, actor: Actor, value: unknown): Promise<ImportOutcome> {
  const problems = [...explain(ImportFileSchema, value), ...unknownFields(ImportFileSchema, value)]
  if (problems.length > 0) return { problems }
  try {
    const work = (file: ImportFile) =>
      database.transact(
        (tx) =>
          importAll(file, {
            tx,
            at: clock(),
            actor,
            problems: [],
            organizations: new Map(),
          }),
        { msMax: TRANSACTION_MS_MAX },
      )
    return { imported: await work(value as ImportFile) }
  } catch (cause) {
    if (cause instanceof Unsound) return { problems: cause.problems }
    throw cause
  }
}

/** Rolls back what was written before the first problem was found. */
class Unsound extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super("The file has problems.")
    this.problems = problems
  }
}

/** Each part refers to the ones before it. */
async function importAll(file: ImportFile, importing: Importing) {
  const { tx, at, actor, problems } = importing
  const { campaigns: sentCampaigns = [] } = file
  const organizations = await importOrganizations(importing, file.organizations ?? [])
  const users = await importUsers(importing, file.users ?? [])
  const { ids, ...campaigns } = await importCampaigns(importing, sentCampaigns)
  const lines = await importLines(importing, sentCampaigns, ids)
  const { after, ...formats } = await importFormats(importing, file)
  const products = await importProducts(importing, file, after)
  const buyerKeys = await importBuyerKeys(importing, file.agent_keys ?? [])
  if (problems.length > 0) throw new Unsound(problems)
  const imported = { organizations, users, campaigns, lines, formats, products, buyerKeys }
  await addAuditEntry(tx, { at, actor, organizationId: null, text: `imported a file: ${summaryOf(imported)}` })
  return imported
}

/** "2 organizations, 1 campaign" */
function summaryOf({ buyerKeys, ...counts }: Readonly<Record<string, Count | readonly unknown[]>>): string {
  const sizes = Object.entries({ ...counts, "buyer keys": buyerKeys }).flatMap(([name, part]) => {
    const size = part === undefined ? 0 : "created" in part ? part.created + part.updated : part.length
    return size === 0 ? [] : [`${size} ${size === 1 ? name.slice(0, -1) : name}`]
  })
  return sizes.length === 0 ? "nothing" : sizes.join(", ")
}
