import type { Static, TSchema } from "@sinclair/typebox"
import { storedAs } from "../domain/schema/check.ts"
import type { SecretName } from "../storage/port/settings.ts"
import type { StoredSettingName, StoreReads } from "../storage/port/store.ts"
import { settingOf } from "../storage/steps/operations.ts"
import { exec, type Step, type Tx } from "../storage/steps/step.ts"
import { type Context, query, transact } from "./context.ts"

/** Stores a fact about the installation that has to survive a restart. */
export function* setSetting({ db, setting }: Tx, name: Parameters<typeof settingOf>[1], value: string): Step<void> {
  const inserting = db.insert(setting).values({ name, value })
  yield* exec(inserting.onConflictDoUpdate({ target: setting.name, set: { value } }))
}

/** Reads a setting that is stored as JSON; null where there is none, or one of another form. */
export function settingAs<Schema extends TSchema>(name: StoredSettingName, schema: Schema) {
  const read = storedAs(schema)
  return async ({ settings }: Pick<StoreReads, "settings">) => read(await settings.get(name))
}

/** The same of what doors may not read. */
export function secretAs<Schema extends TSchema>(name: SecretName, schema: Schema) {
  const read = storedAs(schema)
  return async (context: Pick<Context, "store">): Promise<Static<Schema> | null> =>
    read(await query(context, (tx) => settingOf(tx, name)))
}

/** Stores a setting as JSON; null removes what was there. */
export const setJson = (tx: Tx, name: StoredSettingName | SecretName, value: object | null): Step<void> =>
  setSetting(tx, name, value === null ? "" : JSON.stringify(value))

const SECRET_BYTES = 32

/** Made at first use, and stored: what was made with it counts on every server and after a restart. */
export async function ownSecret(context: Pick<Context, "store" | "random">, name: SecretName): Promise<string> {
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
