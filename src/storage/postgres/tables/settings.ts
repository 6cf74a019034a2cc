import { eq } from "drizzle-orm"
import type { SecretName, SettingName, Settings } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { setting } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

export function settings({ read, change }: Connection): Settings {
  return {
    get: (name) => read((session) => find(session, name)),
    set: (name, value) => change((session) => store(session, name, value), { moves: "nothing" }),
    async secret(name, unlessStored) {
      const stored = await read((session) => find(session, name))
      if (stored !== null) return stored
      return change(
        async (session) => {
          const first = await find(session, name)
          if (first === null) await store(session, name, unlessStored)
          return first ?? unlessStored
        },
        { moves: "nothing" },
      )
    },
    choose: (name, { before, after }, { action, subject, details, ...by }) =>
      change(
        async (session) => {
          if ((await find(session, name)) !== before) return false
          await store(session, name, after)
          await addAuditEntry(session, by, { action, subject, details })
          return true
        },
        { moves: "nothing" },
      ),
  }
}

async function find({ drizzle }: Session, name: SettingName | SecretName): Promise<string | null> {
  const [found] = await drizzle.select().from(setting).where(eq(setting.name, name))
  return found?.value ?? null
}

async function store({ drizzle }: Session, name: SettingName | SecretName, value: string): Promise<void> {
  const inserting = drizzle.insert(setting).values({ name, value })
  await inserting.onConflictDoUpdate({ target: setting.name, set: { value } })
}
