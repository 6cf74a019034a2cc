import type { TwoFactorReads } from "../port/store.ts"
import { count, eq, first, type Steps } from "./step.ts"

export function twoFactorReads({ query }: Pick<Steps, "query">): TwoFactorReads {
  return {
    recoveryCodesLeft: (userId) =>
      query(function* ({ db, recoveryCode }) {
        const isTheirs = eq(recoveryCode.userId, userId)
        return (yield* first(db.select({ left: count() }).from(recoveryCode).where(isTheirs)))?.left ?? 0
      }),
  }
}
