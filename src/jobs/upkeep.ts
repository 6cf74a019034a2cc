import { agentSettings } from "../actions/catalogue/agent-settings.ts"
import type { Context } from "../actions/context.ts"
import { MICROS_PER_DAY } from "../domain/time/moment.ts"
import { nextTurn } from "../next-turn.ts"
import { deleteOldCalls } from "../storage/catalogue/calls.ts"
import type { Work } from "../storage/database.ts"
import { deleteExcessItems, deleteSome, EXPIRIES } from "../storage/operations/expired.ts"

/** Deletes expired rows, in short transactions. */
export async function deleteExpired({ database, clock }: Context, signal: AbortSignal): Promise<void> {
  const now = clock()
  const { logDays } = await agentSettings(database.read)
  const deletions: readonly Work<number>[] = [
    ...EXPIRIES.map(
      (expiry): Work<number> =>
        (tx) =>
          deleteSome(tx, expiry, now),
    ),
    deleteExcessItems,
    (tx) => deleteOldCalls(tx, now - logDays * MICROS_PER_DAY),
  ]
  for (const deletion of deletions) {
    while (!signal.aborted && (await database.transactBeside(deletion)) > 0) await nextTurn()
  }
}
