import { eq } from "drizzle-orm"
import type { SettingName, Settings } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { setting } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

export function settings(connection: Connection): Settings {
  const { drizzle, write } = connection
  const get = (name: SettingName) =>
    drizzle.select({ value: setting.value }).from(setting).where(eq(setting.name, name)).get()?.value ?? null
  const set = (name: SettingName, value: string) =>
    void drizzle
      .insert(setting)
      .values({ name, value })
      .onConflictDoUpdate({ target: setting.name, set: { value } })
      .run()
  return {
    get: async (name) => get(name),
    set: (name, value) => write.run(() => set(name, value)),
    choose: (name, { before, after }, { action, subject, details, ...change }) =>
      write.run(() => {
        if (get(name) !== before) return false
        set(name, after)
        addAuditEntry(connection, change, { action, subject, details })
        return true
      }),
  }
}
