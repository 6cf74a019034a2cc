import { existsSync } from "node:fs"

// The shell draws the same pages in little more than half the time.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
const ON_MACOS = ["Chromium", "Google Chrome"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/** Where the browser is: named by a variable, on the PATH, or where macOS keeps it; null where there is none. */
export const chromiumPath =
  process.env["ADBOOTH_TEST_CHROMIUM"] ??
  NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ??
  ON_MACOS.find((path) => existsSync(path)) ??
  null

if (chromiumPath === null) {
  console.error(
    "SKIPPED: tests in a browser need Chromium. On Debian: apt-get install chromium-headless-shell; or name one with ADBOOTH_TEST_CHROMIUM.",
  )
}
