import type { KeyChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Revokes the active agent key with this id or prefix at once. */
export function revokeAgentKey(context: Context, idOrPrefix: string, actor: string): Promise<KeyChange> {
  return writesOf(context).agentKeys.revoke(idOrPrefix, { actor, at: context.clock() })
}
