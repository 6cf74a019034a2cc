import { eq } from "drizzle-orm"
import type { Organizations } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { organizationLogo } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

/** The pictures on organizations' reports. */
export function logos(connection: Connection): Pick<Organizations, "logo" | "setLogo"> {
  const { drizzle, write } = connection
  const { organizationId, mediaType, base64 } = organizationLogo
  return {
    async logo(id) {
      return drizzle.select({ mediaType, base64 }).from(organizationLogo).where(eq(organizationId, id)).get() ?? null
    },
    setLogo: ({ id, slug }, logo, change) =>
      write.run(() => {
        const removed = drizzle
          .delete(organizationLogo)
          .where(eq(organizationId, id))
          .returning({ id: organizationId })
          .all()
        if (logo === null && removed.length === 0) return false
        const row = { organizationId: id, savedAt: change.at }
        if (logo !== null)
          drizzle
            .insert(organizationLogo)
            .values({ ...row, ...logo })
            .run()
        const action = logo === null ? "remove logo" : "change logo"
        addAuditEntry(connection, change, { action, subject: slug, organizationId: id })
        return true
      }),
  }
}
