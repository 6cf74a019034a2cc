import type { Opening } from "../../domain/keys/opening.ts"
import type { KeyChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** Opens a product to the active agent key with this id or prefix, or changes its territories. */
export function openProduct(
  context: Context,
  idOrPrefix: string,
  opening: Opening,
  actor: string,
): Promise<KeyChange | { readonly outcome: "no product" }> {
  return writesOf(context).agentKeys.open(idOrPrefix, opening, { actor, at: context.clock() })
}
