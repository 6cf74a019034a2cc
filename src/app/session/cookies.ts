import { publicUrl } from "../../actions/mail.ts"
import type { Visit } from "../visit.ts"

type Visited = Pick<Visit, "context" | "request" | "url">

/** Over HTTPS, the prefix makes browsers take the cookie from this very origin only. */
const nameOf = (visit: Visited, name: string) => (isSecure(visit) ? `__Host-${name}` : name)

/** Whether the browser came over HTTPS. A proxy may have ended HTTPS, so our public address counts as well. */
function isSecure({ context, url }: Visited): boolean {
  const origin = new URL(publicUrl(context))
  return url.protocol === "https:" || (origin.protocol === "https:" && origin.host === url.host)
}

/** The cookie that the browser sent. Empty if it sent none. */
export const cookieOf = (visit: Visited, name: string): string =>
  new Bun.CookieMap(visit.request.headers.get("cookie") ?? "").get(nameOf(visit, name)) ?? ""

/** Sets a cookie that scripts can't read, and that is sent only from our own pages or when a link to them is followed. */
export function setCookie(visit: Visited, response: Response, name: string, value: string, seconds: number): void {
  const options = { path: "/", maxAge: seconds, httpOnly: true, sameSite: "lax", secure: isSecure(visit) } as const
  response.headers.append("Set-Cookie", new Bun.Cookie(nameOf(visit, name), value, options).serialize())
}

/** The cookies of a browser with one of them replaced, as it will send them. */
export function withCookie(visit: Visited, name: string, value: string): string {
  const cookies = new Bun.CookieMap(visit.request.headers.get("cookie") ?? "")
  cookies.set(nameOf(visit, name), value)
  return [...cookies].map(([each, text]) => `${each}=${encodeURIComponent(text)}`).join("; ")
}

export const removeCookie = (visit: Visited, response: Response, name: string): void =>
  setCookie(visit, response, name, "", 0)
