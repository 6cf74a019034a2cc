import { createHmac, timingSafeEqual } from "node:crypto"

// A browser in which somebody has signed in keeps a mark of it, so that strangers' failures do not lock them out there. A mark is of one
// person and one browser: its failures are counted by the browser's id, and nobody without the secret can make one.

const MARKS_MAX = 5
const BETWEEN = "~"

interface Mark {
  readonly userId: number
  readonly browser: string
}

/** The id of the browser, if these marks prove that this person has signed in with it; null otherwise. */
export function browserOf(marks: string, userId: number, secret: string): string | null {
  for (const mark of marks.split(BETWEEN, MARKS_MAX)) {
    const [id, browser = ""] = mark.split(".", 2)
    if (id === String(userId) && isSame(mark, textOf({ userId, browser }, secret))) return browser
  }
  return null
}

/** The marks with this one as the newest. Few are kept: people who share a browser are few, and a cookie must stay small. */
export function withMark(marks: string, mark: Mark, secret: string): string {
  const others = marks.split(BETWEEN, MARKS_MAX).filter((one) => one !== "" && !one.startsWith(`${mark.userId}.`))
  return [textOf(mark, secret), ...others].slice(0, MARKS_MAX).join(BETWEEN)
}

function textOf({ userId, browser }: Mark, secret: string): string {
  const named = `${userId}.${browser}`
  return `${named}.${createHmac("sha256", secret).update(named).digest("base64url")}`
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
