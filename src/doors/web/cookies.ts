import { SESSION_DAYS } from "../../domain/people/user.ts"

// Cookies: the session token, one message for the next page, the proof of a first factor, and who has signed in with this browser.
export const SESSION_COOKIE = "adbooth_session"
export const SECOND_FACTOR_COOKIE = "adbooth_second_factor"
export const BROWSER_COOKIE = "adbooth_browser"
// The organization of the last page: pages that belong to none keep its menu.
export const PLACE_COOKIE = "adbooth_place"
const FLASH_COOKIE = "adbooth_flash"
const FLASH_SECONDS = 60
const SESSION_SECONDS = SESSION_DAYS * 86_400
// The longest that browsers keep one.
export const BROWSER_SECONDS = 400 * 86_400

export interface Flash {
  readonly kind: "done" | "problem"
  readonly text: string
  readonly next?: { readonly href: string; readonly label: string } | undefined
}

// Between the parts of a message: no text has it.
const SEPARATOR = "\u001f"

type CookieOptions = Readonly<{ secure: boolean; maxAgeSeconds?: number }>

export type Cookies = Pick<Bun.CookieMap, "get">

export function cookiesOf(request: Request, secure: boolean): Cookies {
  const sent = plainCookiesOf(request)
  return { get: (name) => sent.get(cookieName(name, secure)) }
}

const plainCookiesOf = (request: Request): Cookies => new Bun.CookieMap(request.headers.get("cookie") ?? "")

/** Over https the prefix makes browsers take the cookie from this very origin only: not from a neighbour, and not over plain http. */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** As long as a session, where nothing else is said. */
export function cookie(name: string, value: string, { secure, maxAgeSeconds = SESSION_SECONDS }: CookieOptions) {
  // A name with that prefix is for the whole origin.
  return plainCookie(cookieName(name, secure), value, { secure, maxAgeSeconds, path: secure ? "/" : "/app" })
}

/** Not readable by scripts, and sent only from our own pages or when a link to them is followed. */
export const plainCookie = (
  name: string,
  value: string,
  { maxAgeSeconds: maxAge, ...rest }: Required<CookieOptions> & { readonly path: string },
): string => new Bun.Cookie(name, value, { ...rest, maxAge, httpOnly: true, sameSite: "lax" }).serialize()

export const noCookie = (name: string, secure: boolean): string => cookie(name, "", { secure, maxAgeSeconds: 0 })

export function flashCookie({ kind, text, next }: Flash, secure: boolean): string {
  const parts = [text, ...(next === undefined ? [] : [next.href, next.label])]
  return flashNamed(`${kind}:${parts.join(SEPARATOR)}`, { secure, maxAgeSeconds: FLASH_SECONDS })
}

export const noFlashCookie = (secure: boolean): string => flashNamed("", { secure, maxAgeSeconds: 0 })

/** For all pages: those of an order lie outside the app. */
const flashNamed = (value: string, options: Required<CookieOptions>) =>
  plainCookie(cookieName(FLASH_COOKIE, options.secure), value, { ...options, path: "/" })

export function flashOf(cookies: Cookies): Flash | null {
  const [, kind, message] = /^(done|problem):([\s\S]{1,700})$/.exec(cookies.get(FLASH_COOKIE) ?? "") ?? []
  const [text, href, label] = message?.split(SEPARATOR) ?? []
  if (text === undefined) return null
  // Only a page of ours: a cookie is something that was sent.
  const next = label !== undefined && /^\/app\/[^\\]*$/.test(href ?? "") ? { href: href ?? "", label } : undefined
  return { kind: kind === "problem" ? "problem" : "done", text, next }
}

export const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

export const THEME_COOKIE = "adbooth_theme"

export const isTheme = (text: string): text is Theme => (THEMES as readonly string[]).includes(text)

export function themeOf(request: Request): Theme {
  const chosen = plainCookiesOf(request).get(THEME_COOKIE) ?? ""
  return isTheme(chosen) ? chosen : "system"
}
