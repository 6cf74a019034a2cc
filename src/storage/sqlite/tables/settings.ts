import { eq } from "drizzle-orm"
import type { Settings } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { setting } from "../schema.ts"

export function settings({ drizzle, write }: Connection): Settings {
  return {
    async get(name) {
      return drizzle.select({ value: setting.value }).from(setting).where(eq(setting.name, name)).get()?.value ?? null
    },
    set: (name, value) =>
      write.run(() => {
        drizzle
          .insert(setting)
          .values({ name, value })
          .onConflictDoUpdate({ target: setting.name, set: { value } })
          .run()
      }),
  }
}
