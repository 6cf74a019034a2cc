import type { Organization } from "../../domain/people/organization.ts"
import type { KeyChange } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

/** Revokes the active ingest key of this id or prefix at once; with an owner, only if that organization owns it. */
export function revokeIngestKey(
  { store, clock }: Context,
  idOrPrefix: string,
  owner: Pick<Organization, "id"> | null,
  actor: string,
): Promise<KeyChange> {
  return store.ingestKeys.revoke(idOrPrefix, owner?.id ?? null, { actor, at: clock() })
}
