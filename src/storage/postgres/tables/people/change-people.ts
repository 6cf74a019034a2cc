import type { Connection } from "../../engine/connection.ts"
import type { Transaction } from "../../engine/transaction.ts"

/** A change of accounts or of links to them. No replica caches those, so it moves no revision. */
export function changePeople<Result>(
  { change }: Connection,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return change(work, { moves: "nothing" })
}
