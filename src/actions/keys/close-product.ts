import type { KeyChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Closes a product to the active agent key with this id or prefix. */
export function closeProduct(
  context: Context,
  idOrPrefix: string,
  productId: string,
  actor: string,
): Promise<KeyChange | { readonly outcome: "not open" }> {
  return writesOf(context).agentKeys.close(idOrPrefix, productId, { actor, at: context.clock() })
}
