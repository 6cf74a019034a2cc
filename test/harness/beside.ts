import type { Context } from "../../src/actions/context.ts"
import { DEFAULTS } from "../../src/config.ts"
import { openDatabase } from "../../src/storage/engines.ts"
import { fakeWorld } from "./world/fakes.ts"

/** What a command sees that works on the same data as a running server. */
export async function openBeside(data: string): Promise<Context & AsyncDisposable> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const database = await openDatabase(data, log)
  return {
    database,
    log,
    clock: () => Date.now() * 1_000,
    config: { ...DEFAULTS, data },
    services: fakeWorld(() => "http://127.0.0.1:3000", data).services,
    [Symbol.asyncDispose]: () => database.close(),
  }
}
