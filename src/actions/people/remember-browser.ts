import { browserOf, withMark } from "../../domain/people/sign-in.ts"
import { settingOf } from "../../storage/steps/settings.ts"
import type { Step, Tx } from "../../storage/steps/step.ts"
import { type Context, query, transact } from "../context.ts"
import { setSetting } from "../set-setting.ts"

const SECRET_BYTES = 32
const BROWSER_BYTES = 12

/** The id of a browser in which this person has signed in before, as its marks prove; null otherwise. */
export async function knownBrowser(context: Context, userId: number, marks: string): Promise<string | null> {
  return marks === "" ? null : browserOf(marks, userId, await secretOf(context))
}

/** The marks of a browser in which this person has just signed in. */
export async function rememberBrowser(context: Context, userId: number, marks: string): Promise<string> {
  const secret = await secretOf(context)
  const browser = browserOf(marks, userId, secret) ?? context.random(BROWSER_BYTES).toHex()
  return withMark(marks, { userId, browser }, secret)
}

/** One for the installation: a mark counts on every server and after a restart. */
async function secretOf(context: Context): Promise<string> {
  const stored = await query(context, (tx) => settingOf(tx, "browser_secret"))
  if (stored !== null) return stored
  const secret = context.random(SECRET_BYTES).toHex()
  return transact(context, (tx) => firstSecret(tx, secret))
}

/** What is stored or, the first time, this one. */
export function* firstSecret(tx: Tx, unlessStored: string): Step<string> {
  const stored = yield* settingOf(tx, "browser_secret")
  if (stored === null) yield* setSetting(tx, "browser_secret", unlessStored)
  return stored ?? unlessStored
}
