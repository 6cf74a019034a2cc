import { and, eq, exec, ne, type Step, type Tx } from "../../storage/steps/step.ts"

/** Ends all sessions of a user but the one of `keepTokenHash`. */
export function* endSessions({ db, session }: Tx, userId: number, keepTokenHash: string | null): Step<void> {
  const isOther = keepTokenHash === null ? undefined : ne(session.tokenHash, keepTokenHash)
  yield* exec(db.delete(session).where(and(eq(session.userId, userId), isOther)))
}
