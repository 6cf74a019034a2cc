import { and, count, eq, isNotNull, isNull, lt, or } from "drizzle-orm"
import type { TwoFactor } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Session } from "../../engine/session.ts"
import { recoveryCode, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { changePeople } from "./change-people.ts"
import { endLinks } from "./one-time-links.ts"
import { endSessions } from "./sessions.ts"

export function twoFactor(connection: Connection): TwoFactor {
  return {
    enable: (userId, secret, recoveryHashes, by) =>
      changePeople(connection, async (transaction) => {
        const { drizzle } = transaction
        await drizzle.update(user).set({ totpSecret: secret, totpStep: null }).where(eq(user.id, userId))
        await endRecoveryCodes(transaction, userId)
        const codes = recoveryHashes.map((codeHash) => ({ userId, codeHash }))
        if (codes.length > 0) await drizzle.insert(recoveryCode).values(codes)
        await addAuditEntry(transaction, by, { action: "enable two_factor", subject: `user:${userId}` })
      }),
    disable: (userId, by) =>
      changePeople(connection, async (transaction) => {
        await transaction.drizzle.update(user).set({ totpSecret: null, totpStep: null }).where(eq(user.id, userId))
        await endRecoveryCodes(transaction, userId)
        await addAuditEntry(transaction, by, { action: "disable two_factor", subject: `user:${userId}` })
      }),
    reset: (userId, by) =>
      changePeople(connection, async (transaction) => {
        const [reset] = await transaction.drizzle
          .update(user)
          .set({ totpSecret: null, totpStep: null })
          .where(and(eq(user.id, userId), isNotNull(user.totpSecret)))
          .returning({ email: user.email })
        if (reset === undefined) return false
        await endRecoveryCodes(transaction, userId)
        await endLinks(transaction, userId, ["second_factor"])
        await endSessions(transaction, userId, null)
        await addAuditEntry(transaction, by, { action: "reset two_factor", subject: reset.email })
        return true
      }),
    useRecoveryCode: (userId, codeHash, by) =>
      changePeople(connection, async (transaction) => {
        const used = await transaction.drizzle
          .delete(recoveryCode)
          .where(and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash)))
          .returning({ userId: recoveryCode.userId })
        if (used.length === 0) return false
        await addAuditEntry(transaction, by, { action: "use recovery_code", subject: `user:${userId}` })
        return true
      }),
    useTimeStep: (userId, step) =>
      changePeople(connection, async ({ drizzle }) => {
        const fresh = or(isNull(user.totpStep), lt(user.totpStep, step))
        const updated = await drizzle
          .update(user)
          .set({ totpStep: step })
          .where(and(eq(user.id, userId), fresh))
          .returning({ id: user.id })
        return updated.length > 0
      }),
    async recoveryCodesLeft(userId) {
      const [row] = await connection.read(({ drizzle }) =>
        drizzle.select({ left: count() }).from(recoveryCode).where(eq(recoveryCode.userId, userId)),
      )
      return row?.left ?? 0
    },
  }
}

async function endRecoveryCodes({ drizzle }: Session, userId: number): Promise<void> {
  await drizzle.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
}
