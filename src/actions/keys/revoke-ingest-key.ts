import type { Organization } from "../../domain/people/organization.ts"
import type { KeyChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Revokes the active ingest key with this id or prefix at once; with an owner, only if that organization owns it. */
export function revokeIngestKey(
  context: Context,
  idOrPrefix: string,
  owner: Pick<Organization, "id"> | null,
  actor: string,
): Promise<KeyChange> {
  return writesOf(context).ingestKeys.revoke(idOrPrefix, owner?.id ?? null, { actor, at: context.clock() })
}
