import { SESSION_DAYS } from "../../domain/people/user.ts"

// Cookies: the session token, one message for the next page, and the proof of a first factor.
export const SESSION_COOKIE = "adbooth_session"
export const SECOND_FACTOR_COOKIE = "adbooth_second_factor"
const FLASH_COOKIE = "adbooth_flash"
const FLASH_SECONDS = 60

export interface Flash {
  readonly kind: "done" | "problem"
  readonly text: string
}

export interface CookieOptions {
  readonly secure: boolean
  readonly maxAgeSeconds: number
  /** Only the app gets it, unless another path is given. */
  readonly path?: string
}

export function cookiesOf(request: Request): Bun.CookieMap {
  return new Bun.CookieMap(request.headers.get("cookie") ?? "")
}

/** Not readable by scripts, and sent only from our own pages or when a link to them is followed. */
export function cookie(name: string, value: string, options: CookieOptions): string {
  const { secure, maxAgeSeconds, path = "/app" } = options
  const attributes = { path, httpOnly: true, sameSite: "lax", secure, maxAge: maxAgeSeconds } as const
  return new Bun.Cookie(name, value, attributes).serialize()
}

export function noCookie(name: string, secure: boolean): string {
  return cookie(name, "", { secure, maxAgeSeconds: 0 })
}

export function sessionCookie(token: string, secure: boolean): string {
  return cookie(SESSION_COOKIE, token, { secure, maxAgeSeconds: SESSION_DAYS * 86_400 })
}

export function flashCookie({ kind, text }: Flash, secure: boolean): string {
  return cookie(FLASH_COOKIE, `${kind}:${text}`, { secure, maxAgeSeconds: FLASH_SECONDS })
}

export function noFlash(secure: boolean): string {
  return noCookie(FLASH_COOKIE, secure)
}

export function flashOf(cookies: Bun.CookieMap): Flash | null {
  const [, kind, text] = /^(done|problem):([\s\S]{1,500})$/.exec(cookies.get(FLASH_COOKIE) ?? "") ?? []
  if (text === undefined) return null
  return { kind: kind === "problem" ? "problem" : "done", text }
}
