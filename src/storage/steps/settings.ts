import type { SecretName, SettingName, SettingReads } from "../port/store.ts"
import { eq, exec, first, type ReadTx, type Step, type Steps, type Tx } from "./step.ts"

type Name = SettingName | SecretName

export function settingReads({ query }: Pick<Steps, "query">): SettingReads {
  return { get: (name) => query((tx) => settingOf(tx, name)) }
}

export function* settingOf({ db, setting }: ReadTx, name: Name): Step<string | null> {
  return (yield* first(db.select().from(setting).where(eq(setting.name, name))))?.value ?? null
}

export function* setSetting({ db, setting }: Tx, name: Name, value: string): Step<void> {
  const inserting = db.insert(setting).values({ name, value })
  yield* exec(inserting.onConflictDoUpdate({ target: setting.name, set: { value } }))
}
