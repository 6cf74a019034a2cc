import { browserOf, withMark } from "../../domain/people/sign-in.ts"
import type { Context } from "../context.ts"
import { secretOf } from "../installation-secret.ts"

const BROWSER_BYTES = 12

/** The id of a browser in which this person has signed in before, as its marks prove; null otherwise. */
export async function knownBrowser(context: Context, userId: number, marks: string): Promise<string | null> {
  return marks === "" ? null : browserOf(marks, userId, await secretOf(context, "browser_secret"))
}

/** The marks of a browser in which this person has just signed in. */
export async function rememberBrowser(context: Context, userId: number, marks: string): Promise<string> {
  const secret = await secretOf(context, "browser_secret")
  const browser = browserOf(marks, userId, secret) ?? context.random(BROWSER_BYTES).toHex()
  return withMark(marks, { userId, browser }, secret)
}
