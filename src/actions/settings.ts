import type { SecretName } from "../storage/port/settings.ts"
import { settingOf } from "../storage/steps/settings.ts"
import { exec, type Step, type Tx } from "../storage/steps/step.ts"
import { type Context, query, transact } from "./context.ts"

/** Stores a fact about the installation that has to survive a restart. */
export function* setSetting({ db, setting }: Tx, name: Parameters<typeof settingOf>[1], value: string): Step<void> {
  const inserting = db.insert(setting).values({ name, value })
  yield* exec(inserting.onConflictDoUpdate({ target: setting.name, set: { value } }))
}

const SECRET_BYTES = 32

/** One for the installation, so that what was made with it counts on every server and after a restart. Made at first use. */
export async function secretOf(context: Pick<Context, "store" | "random">, name: SecretName): Promise<string> {
  const stored = await query(context, (tx) => settingOf(tx, name))
  if (stored !== null) return stored
  const secret = context.random(SECRET_BYTES).toHex()
  return transact(context, (tx) => firstSecret(tx, secret, name))
}

/** What is stored or, the first time, this one. */
export function* firstSecret(tx: Tx, unlessStored: string, name: SecretName = "browser_secret"): Step<string> {
  const stored = yield* settingOf(tx, name)
  if (stored === null) yield* setSetting(tx, name, unlessStored)
  return stored ?? unlessStored
}
