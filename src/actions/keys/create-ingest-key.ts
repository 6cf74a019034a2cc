import type { Organization } from "../../domain/people/organization.ts"
import { type Context, writesOf } from "../context.ts"
import { type MadeKey, makeKey } from "./make-key.ts"

/** Makes an ingest key that acts for the organization. The secret is in the answer and nowhere else. */
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
