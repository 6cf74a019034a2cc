import type { SecretName } from "../storage/port/settings.ts"
import { settingOf } from "../storage/steps/settings.ts"
import type { Step, Tx } from "../storage/steps/step.ts"
import { type Context, query, transact } from "./context.ts"
import { setSetting } from "./set-setting.ts"

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
