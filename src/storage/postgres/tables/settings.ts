import { eq } from "drizzle-orm"
import type { Settings } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { setting } from "../schema.ts"

export function settings({ read, change }: Connection): Settings {
  return {
    async get(name) {
      const [found] = await read(({ drizzle }) => drizzle.select().from(setting).where(eq(setting.name, name)))
      return found?.value ?? null
    },
    async set(name, value) {
      await change(
        ({ drizzle }) =>
          drizzle.insert(setting).values({ name, value }).onConflictDoUpdate({ target: setting.name, set: { value } }),
        { moves: "nothing" },
      )
    },
  }
}
