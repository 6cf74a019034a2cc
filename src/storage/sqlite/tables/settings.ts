import { eq } from "drizzle-orm"
import type { SecretName, SettingName, Settings } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { setting } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

export function settings(connection: Connection): Settings {
  const { drizzle, write } = connection
  const get = (name: SettingName | SecretName) =>
    drizzle.select({ value: setting.value }).from(setting).where(eq(setting.name, name)).get()?.value ?? null
  const set = (name: SettingName | SecretName, value: string) =>
    void drizzle
      .insert(setting)
      .values({ name, value })
      .onConflictDoUpdate({ target: setting.name, set: { value } })
      .run()
  return {
    get: async (name) => get(name),
    set: (name, value) => write.run(() => set(name, value)),
    async secret(name, unlessStored) {
      const stored = get(name)
      if (stored !== null) return stored
      return write.run(() => {
        if (get(name) === null) set(name, unlessStored)
        return get(name) ?? unlessStored
      })
    },
    choose: (name, { before, after }, { action, subject, details, ...change }) =>
      write.run(() => {
        if (get(name) !== before) return false
        set(name, after)
        addAuditEntry(connection, change, { action, subject, details })
        return true
      }),
  }
}
