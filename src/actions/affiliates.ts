import { addAuditEntry } from "../storage/audit.ts"
import { deleteCode } from "../storage/campaigns/affiliates.ts"
import type { Actor, Context } from "./context.ts"

/** Deletes a code of a seller. False if it has figures, which belong to its buyers as well. */
export async function removeCode(
  { database, clock }: Context,
  actor: Actor,
  { organizationId, id, code }: { readonly organizationId: number; readonly id: number; readonly code: string },
): Promise<boolean> {
  return database.transact(async (tx) => {
    if (!(await deleteCode(tx, organizationId, id))) return false
    const text = `deleted the affiliate code ${code}`
    await addAuditEntry(tx, { at: clock(), actor, organizationId, text })
    return true
  })
}
