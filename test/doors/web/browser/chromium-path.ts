import { existsSync } from "node:fs"

const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
]

/** Where the browser is; null where there is none. */
export const chromiumPath = PLACES.find((path) => existsSync(path)) ?? null

if (chromiumPath === null) {
  process.stderr.write(
    `\n*** BROWSER TESTS ARE SKIPPED: no Chromium at ${PLACES.join(", ")}. On Debian: apt-get install chromium-headless-shell ***\n\n`,
  )
}
