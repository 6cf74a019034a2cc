import type { SecretName, SettingName } from "../port/settings.ts"
import { eq, exec, first, type ReadTx, type Step, type Tx } from "./step.ts"

type Name = SettingName | SecretName

/** Facts about the installation that have to survive a restart. */
export const settingReads = { get: (tx: ReadTx, name: SettingName) => settingOf(tx, name) }

export function* settingOf({ db, setting }: ReadTx, name: Name): Step<string | null> {
  return (yield* first(db.select().from(setting).where(eq(setting.name, name))))?.value ?? null
}

export function* setSetting({ db, setting }: Tx, name: Name, value: string): Step<void> {
  const inserting = db.insert(setting).values({ name, value })
  yield* exec(inserting.onConflictDoUpdate({ target: setting.name, set: { value } }))
}
