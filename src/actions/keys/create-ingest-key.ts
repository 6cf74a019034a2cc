import type { Organization } from "../../domain/people/organization.ts"
import { type Context, writesOf } from "../context.ts"
import { type MadeKey, makeKey } from "./make-key.ts"

/** Creates an ingest key for the organization. The secret is only in the result. */
export async function createIngestKey(
  context: Context,
  organization: Pick<Organization, "id">,
  label: string,
  actor: string,
): Promise<MadeKey> {
  const made = makeKey(context, "ingest", label)
  await writesOf(context).ingestKeys.create(made.record, organization.id, { actor, at: made.record.createdAt })
  return made
}
