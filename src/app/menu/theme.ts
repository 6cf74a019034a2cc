import { BODY_BYTES_MAX } from "../../http/body.ts"
import { goTo } from "../flash.ts"
import { readForm } from "../forms/form.ts"
import { cookieOf, setCookie } from "../session/cookies.ts"
import { pageBefore } from "../session/kept-form.ts"
import type { Visit } from "../visit.ts"

export const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

const THEME_COOKIE = "adbooth_theme"
const YEAR_SECONDS = 365 * 86_400

const isTheme = (text: string): text is Theme => (THEMES as readonly string[]).includes(text)

export function themeOf(visit: Visit): Theme {
  const chosen = cookieOf(visit, THEME_COOKIE)
  return isTheme(chosen) ? chosen : "system"
}

/** Remembers the theme in this browser, and goes back to the page. */
export async function chooseTheme(visit: Visit): Promise<Response> {
  const { texts } = await readForm(visit.request, BODY_BYTES_MAX)
  const theme = texts["theme"] ?? ""
  const response = goTo(visit, pageBefore(visit, "/app"))
  if (isTheme(theme)) setCookie(visit, response, THEME_COOKIE, theme, YEAR_SECONDS)
  return response
}
