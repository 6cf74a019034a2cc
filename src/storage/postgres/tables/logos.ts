import { eq } from "drizzle-orm"
import type { Organizations } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { organizationLogo } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

/** The pictures on organizations' reports. */
export function logos({ read, change }: Connection): Pick<Organizations, "logo" | "setLogo"> {
  const { organizationId, mediaType, base64 } = organizationLogo
  return {
    logo: (id) =>
      read(async ({ drizzle }) => {
        const found = drizzle.select({ mediaType, base64 }).from(organizationLogo).where(eq(organizationId, id))
        return (await found)[0] ?? null
      }),
    setLogo: ({ id, slug }, logo, by) =>
      change(async (transaction) => {
        const { drizzle } = transaction
        const deleting = drizzle.delete(organizationLogo).where(eq(organizationId, id))
        const removed = await deleting.returning({ id: organizationId })
        if (logo === null && removed.length === 0) return false
        const row = { organizationId: id, savedAt: by.at }
        if (logo !== null) await drizzle.insert(organizationLogo).values({ ...row, ...logo })
        const action = logo === null ? "remove logo" : "change logo"
        await addAuditEntry(transaction, by, { action, subject: slug, organizationId: id })
        return true
      }),
  }
}
