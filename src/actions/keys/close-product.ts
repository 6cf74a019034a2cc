import type { KeyChange } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

/** Closes a product to the active agent key of this id or prefix. */
export function closeProduct(
  { store, clock }: Context,
  idOrPrefix: string,
  productId: string,
  actor: string,
): Promise<KeyChange | { readonly outcome: "not open" }> {
  return store.agentKeys.close(idOrPrefix, productId, { actor, at: clock() })
}
