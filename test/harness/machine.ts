import { test } from "bun:test"
import { postgresPrograms } from "./postgres.ts"

// The shell draws the same pages in little more than half the time.
const BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]

/** What some tests need, and where it is. Null if this machine lacks it. */
export const machine = {
  postgres: process.env["ADBOOTH_TEST_POSTGRES"] ?? postgresPrograms,
  /** Makes certificates, and a PostgreSQL that uses them. */
  openssl: postgresPrograms && Bun.which("openssl"),
  chromium:
    process.env["ADBOOTH_TEST_CHROMIUM"] ??
    BROWSERS.map((name) => Bun.which(name)).find((path) => path !== null) ??
    null,
}

/** A test that needs something this machine may lack. It is then skipped, and counted by that name. */
export const testWith = (needs: keyof typeof machine) => (promise: string, body: () => Promise<void>, ms?: number) =>
  test.skipIf(machine[needs] === null)(`${promise} [needs ${needs}]`, body, ms)
