import {
  type ImportPlan,
  organizationsLeftWithoutAdmin,
  wouldLeaveNoOperator,
} from "../../../domain/import/import-plan.ts"
import type { Change } from "../../../domain/people/audit.ts"
import type { ImportExport, Imported, KeyRecord } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { LOCK_CHANGES, type Transaction } from "../engine/transaction.ts"
import { haveFigures, linesThatChange, saveRest, saveSold } from "./apply-import.ts"
import { knownRights, knownThings, snapshotOf } from "./read-export.ts"

// A hundred thousand lines take some seconds.
const LONG = { withinMs: 120_000 }

export function importExport({ read, change }: Connection): ImportExport {
  return {
    known: () => read(knownThings, LONG),
    async apply(...given) {
      const attempt = (locksLater: boolean) =>
        change((transaction) => apply(transaction, locksLater, ...given), { ...LONG, moves: "catalogue", locksLater })
      try {
        return await attempt(true).catch((cause) => {
          if (cause instanceof ChangedMeanwhile) return attempt(false)
          throw cause
        })
      } catch (cause) {
        if (cause instanceof Outdated) return null
        throw cause
      }
    },
    snapshot: () => read(snapshotOf, LONG),
  }
}

/** The plan was checked against something that is not so any more. What was written of it is undone. */
class Outdated extends Error {
  override readonly name = "Outdated"
}

/** Something else was changed before this transaction had its lock, perhaps what it has read. */
class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile"
}

/**
 * Lines, which may be a hundred thousand, are written before the lock is taken, so that reports need not wait for them: nobody sees them
 * before the commit. If the terms have moved meanwhile, the import is made again under the lock from its beginning.
 */
async function apply(
  transaction: Transaction,
  locksLater: boolean,
  plan: ImportPlan,
  newKeys: ReadonlyMap<string, KeyRecord>,
  checkedRevision: number,
  by: Change,
): Promise<Imported> {
  if (transaction.catalogue !== checkedRevision) throw new Outdated("the catalogue was changed")
  const changing = await linesThatChange(transaction, plan)
  const sold = await saveSold(transaction, plan, by)
  if (locksLater) {
    await transaction.rows(LOCK_CHANGES)
    const [now] = await transaction.rows<{ terms: number }>("SELECT terms FROM revision")
    if (now?.terms !== transaction.terms) throw new ChangedMeanwhile("something was changed during the import")
  }
  if (await haveFigures(transaction, changing)) throw new Outdated("figures were reported")
  const { operators, admins } = await knownRights(transaction)
  if (wouldLeaveNoOperator(operators, plan.users)) throw new Outdated("an operator was removed")
  if (organizationsLeftWithoutAdmin(admins, plan.users).length > 0) throw new Outdated("an admin was removed")
  return saveRest(transaction, plan, sold, newKeys, by)
}
