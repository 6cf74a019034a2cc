import type { settingOf } from "../storage/steps/settings.ts"
import { exec, type Step, type Tx } from "../storage/steps/step.ts"

/** Stores a fact about the installation that has to survive a restart. */
export function* setSetting({ db, setting }: Tx, name: Parameters<typeof settingOf>[1], value: string): Step<void> {
  const inserting = db.insert(setting).values({ name, value })
  yield* exec(inserting.onConflictDoUpdate({ target: setting.name, set: { value } }))
}
