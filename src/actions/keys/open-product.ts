import type { Opening } from "../../domain/keys/opening.ts"
import type { KeyChange } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

/** Opens a product to the active agent key of this id or prefix, or changes the territories that it is open in. */
export function openProduct(
  { store, clock }: Context,
  idOrPrefix: string,
  opening: Opening,
  actor: string,
): Promise<KeyChange | { readonly outcome: "no product" }> {
  return store.agentKeys.open(idOrPrefix, opening, { actor, at: clock() })
}
