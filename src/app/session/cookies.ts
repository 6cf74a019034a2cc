import type { Visit } from "../visit.ts"

type Visited = Pick<Visit, "request" | "url">

/** Over HTTPS, the prefix makes browsers take the cookie from this very origin only. */
const nameOf = (visit: Visited, name: string) => (isSecure(visit) ? `__Host-${name}` : name)

const isSecure = ({ url }: Visited) => url.protocol === "https:"

/** The cookie that the browser sent. Empty if it sent none. */
export const cookieOf = (visit: Visited, name: string): string =>
  new Bun.CookieMap(visit.request.headers.get("cookie") ?? "").get(nameOf(visit, name)) ?? ""

/** Sets a cookie that scripts can't read, and that is sent only from our own pages or when a link to them is followed. */
export function setCookie(visit: Visited, response: Response, name: string, value: string, seconds: number): void {
  const options = { path: "/", maxAge: seconds, httpOnly: true, sameSite: "lax", secure: isSecure(visit) } as const
  response.headers.append("Set-Cookie", new Bun.Cookie(nameOf(visit, name), value, options).serialize())
}

export const removeCookie = (visit: Visited, response: Response, name: string): void =>
  setCookie(visit, response, name, "", 0)
