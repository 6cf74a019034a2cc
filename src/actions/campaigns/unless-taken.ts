import { EXTERNAL_ID_TAKEN, type LineErrors } from "../../domain/campaign/line-fields.ts"
import { ExternalIdTaken } from "../../storage/port/delivery/external-id-taken.ts"

/** What `save` returns, or the error of the field where another line of the seller has the external id. */
export async function unlessTaken<Saved>(
  save: () => Promise<Saved>,
): Promise<Saved | { readonly outcome: "refused"; readonly errors: LineErrors }> {
  try {
    return await save()
  } catch (cause) {
    if (cause instanceof ExternalIdTaken) return { outcome: "refused", errors: { externalId: EXTERNAL_ID_TAKEN } }
    throw cause
  }
}
