import type { SecretName, SettingName } from "../port/settings.ts"
import { eq, first, type ReadTx, type Step } from "./step.ts"

/** Facts about the installation that have to survive a restart. */
export const settingReads = { get: (tx: ReadTx, name: SettingName) => settingOf(tx, name) }

export function* settingOf({ db, setting }: ReadTx, name: SettingName | SecretName): Step<string | null> {
  return (yield* first(db.select().from(setting).where(eq(setting.name, name))))?.value ?? null
}
