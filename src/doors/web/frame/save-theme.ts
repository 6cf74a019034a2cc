import { plainCookie } from "../cookies.ts"
import { readForm } from "../form.ts"

import { forAnyone } from "../route.ts"
import { isSecure, type Visit } from "../visit.ts"
import { isTheme, THEME_COOKIE } from "./theme.ts"

const YEAR_SECONDS = 365 * 86_400

/** Remembers the theme. The page stays as it is, with whatever is typed there: its style sheet has changed already. */
async function saveTheme(visit: Visit): Promise<Response> {
  const chosen = (await readForm(visit.request)).text("theme")
  const theme = isTheme(chosen) ? chosen : "system"
  const maxAgeSeconds = theme === "system" ? 0 : YEAR_SECONDS
  // The guides at /docs have it too.
  const options = { secure: isSecure(visit), maxAgeSeconds, path: "/" }
  const headers = { "Set-Cookie": plainCookie(THEME_COOKIE, theme, options) }
  return new Response(null, { status: 204, headers })
}

export const themeRoutes = [forAnyone("POST", "/app/theme", saveTheme)]
