import type { KeyChange } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

/** Revokes the active agent key of this id or prefix at once. */
export function revokeAgentKey({ store, clock }: Context, idOrPrefix: string, actor: string): Promise<KeyChange> {
  return store.agentKeys.revoke(idOrPrefix, { actor, at: clock() })
}
