import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Config, DEFAULTS } from "../config.ts"
import { demoGuide, seedDemo } from "../demo/seed.ts"
import { serve } from "./serve.ts"

/** Serves sample data from a temporary database, which is deleted when the server stops. Nothing is mailed or backed up. */
export async function serveDemo(given: Config, warnings: readonly string[]): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "adbooth-demo-"))
  const { host, port, publicUrl, trustProxy, logFormat } = given
  const config = { ...DEFAULTS, host, port, publicUrl, trustProxy, logFormat, data }
  try {
    await serve(config, { warnings, prepare: async (context) => demoGuide(await seedDemo(context)) })
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}
