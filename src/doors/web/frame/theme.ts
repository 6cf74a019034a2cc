import { plainCookiesOf } from "../cookies.ts"

export const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

export const THEME_COOKIE = "adbooth_theme"

export const isTheme = (text: string): text is Theme => (THEMES as readonly string[]).includes(text)

export function themeOf(request: Request): Theme {
  const chosen = plainCookiesOf(request).get(THEME_COOKIE) ?? ""
  return isTheme(chosen) ? chosen : "system"
}
