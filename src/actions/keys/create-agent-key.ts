import { type Context, writesOf } from "../context.ts"
import { type MadeKey, makeKey } from "./make-key.ts"

/** Creates an agent key for a buyer. Null when an active key has this label: import files identify keys by label. */
export async function createAgentKey(context: Context, label: string, actor: string): Promise<MadeKey | null> {
  const made = makeKey(context, "agent", label)
  const created = await writesOf(context).agentKeys.create(made.record, { actor, at: made.record.createdAt })
  return created ? made : null
}
