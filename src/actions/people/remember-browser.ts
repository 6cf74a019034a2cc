import { browserOf, withMark } from "../../domain/people/known-browser.ts"
import { type Context, writesOf } from "../context.ts"

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
function secretOf(context: Context): Promise<string> {
  return writesOf(context).settings.secret("browser_secret", context.random(SECRET_BYTES).toHex())
}
