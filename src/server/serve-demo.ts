import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Config } from "../config.ts"
import { demoGuide } from "../demo/guide.ts"
import { seedDemo } from "../demo/seed.ts"
import { serve } from "./serve.ts"

/** Serves sample data from a temporary database, which is deleted when the server stops. */
export async function serveDemo(config: Config, warnings: readonly string[]): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "adbooth-demo-"))
  try {
    await serve(
      { ...config, data, databaseUrl: null },
      { warnings, prepare: async (context) => demoGuide(await seedDemo(context)) },
    )
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}
