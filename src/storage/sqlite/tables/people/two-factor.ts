import { and, count, eq, isNotNull, isNull, lt, or } from "drizzle-orm"
import type { TwoFactor } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { recoveryCode, user } from "../../schema.ts"
import { addAuditEntry } from "../audit.ts"
import { endLinks } from "./one-time-links.ts"
import { endSessions } from "./sessions.ts"

export function twoFactor(connection: Connection): TwoFactor {
  const { drizzle, write } = connection
  return {
    enable: (userId, secret, recoveryHashes, change) =>
      write.run(() => {
        drizzle.update(user).set({ totpSecret: secret, totpStep: null }).where(eq(user.id, userId)).run()
        drizzle.delete(recoveryCode).where(eq(recoveryCode.userId, userId)).run()
        for (const codeHash of recoveryHashes) drizzle.insert(recoveryCode).values({ userId, codeHash }).run()
        addAuditEntry(connection, change, { action: "enable two_factor", subject: `user:${userId}` })
      }),
    disable: (userId, change) =>
      write.run(() => {
        drizzle.update(user).set({ totpSecret: null, totpStep: null }).where(eq(user.id, userId)).run()
        drizzle.delete(recoveryCode).where(eq(recoveryCode.userId, userId)).run()
        addAuditEntry(connection, change, { action: "disable two_factor", subject: `user:${userId}` })
      }),
    reset: (userId, change) =>
      write.run(() => {
        const reset = drizzle
          .update(user)
          .set({ totpSecret: null, totpStep: null })
          .where(and(eq(user.id, userId), isNotNull(user.totpSecret)))
          .returning({ email: user.email })
          .get()
        if (reset === undefined) return false
        drizzle.delete(recoveryCode).where(eq(recoveryCode.userId, userId)).run()
        endLinks(connection, userId, ["second_factor"])
        endSessions(connection, userId, null)
        addAuditEntry(connection, change, { action: "reset two_factor", subject: reset.email })
        return true
      }),
    useRecoveryCode: (userId, codeHash, change) =>
      write.run(() => {
        const used = drizzle
          .delete(recoveryCode)
          .where(and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash)))
          .returning({ userId: recoveryCode.userId })
          .all()
        if (used.length > 0)
          addAuditEntry(connection, change, { action: "use recovery_code", subject: `user:${userId}` })
        return used.length > 0
      }),
    useTimeStep: (userId, step) =>
      write.run(() => {
        const fresh = or(isNull(user.totpStep), lt(user.totpStep, step))
        const updated = drizzle
          .update(user)
          .set({ totpStep: step })
          .where(and(eq(user.id, userId), fresh))
          .returning({ id: user.id })
          .all()
        return updated.length > 0
      }),
    async recoveryCodesLeft(userId) {
      const row = drizzle.select({ left: count() }).from(recoveryCode).where(eq(recoveryCode.userId, userId)).get()
      return row?.left ?? 0
    },
  }
}
