import { tmpdir } from "node:os"
import type { Context } from "../actions/context.ts"
import type { Config, ShownSettings } from "../config.ts"
import type { DemoAddresses } from "../demo/guide.ts"
import { UserError } from "../domain/user-error.ts"
import { privateFolder } from "../files/new-file.ts"
import { createLog } from "../log/log.ts"
import type { OpenedStore, Watching } from "../storage/open.ts"
import type { OpenStore } from "../storage/port/store.ts"
import { startApp } from "./app.ts"
import { bootstrapOperator, invitation } from "./bootstrap-operator.ts"
import type { Deps } from "./deps.ts"

/** What serving needs from the process and the machine. */
export interface ServeParts extends Pick<Context, "clock" | "random">, Pick<Deps, "diskFreeBytes" | "backupFolder"> {
  openStore(config: Config, watching: Watching): Promise<Pick<OpenedStore, "migrated"> & { readonly store: OpenStore }>
  out(text: string): void
  /** Writes one line of the log. */
  log(line: string): void
  readonly isTerminal: boolean
  /** Whether standard output is a terminal. One-time links are never written to a file. */
  readonly showsLinks: boolean
  /** Resolves with the name of the signal that stops the server. */
  readonly stopped: Promise<string>
}

export interface Serving {
  readonly demo: boolean
  readonly settings: ShownSettings
}

/** Runs the server until it is told to stop. */
export async function serve(wanted: Config, { demo, settings }: Serving, parts: ServeParts): Promise<void> {
  const { clock, random, diskFreeBytes, backupFolder } = parts
  // The demo uses a temporary folder: it touches no real data and leaves nothing behind.
  using folder = demo ? privateFolder(tmpdir(), "adbooth-demo-") : null
  const config = folder === null ? wanted : { ...wanted, data: folder.path, databaseUrl: null, databaseUrlFile: null }
  const log = createLog({
    format: config.logFormat ?? (parts.isTerminal ? "text" : "json"),
    clock,
    write: parts.log,
  })
  const measures = config.metricsPort === null ? undefined : await loadMeasures()
  const failed = Promise.withResolvers<never>()
  // It may come before anybody waits for it.
  failed.promise.catch(() => undefined)
  const onSyncFailure = (failure: Error) => {
    log.error("the disk failed, stopping", failure)
    failed.reject(new UserError(`Stopped: ${failure.message}.`))
  }
  const { store, migrated } = await parts.openStore(config, { onCommit: measures?.commit, onSyncFailure })
  await using _ = store
  if (migrated.from > 0 && migrated.from < migrated.to) log.info("database upgraded", migrated)
  await bootstrapOperator(config, { store, clock, random })
  const app = { config, store, log, clock, random, diskFreeBytes, backupFolder, measures, isDemo: demo, settings }
  const guide = demo ? await prepareDemo(app) : () => ""
  await using running = await startApp(app)
  const url = config.publicUrl ?? running.url
  const { agentUrl } = running
  parts.out(
    `${guide({ url, agentUrl })}${parts.showsLinks ? await invitation(url, app) : ""}listening on ${running.url}\n`,
  )
  log.info("stopping", { signal: await Promise.race([parts.stopped, failed.promise]) })
}

/** Loaded on demand: the library is slow to load. */
async function loadMeasures() {
  const { createMeasures } = await import("../doors/metrics/measures.ts")
  return createMeasures()
}

/** Fills the store. Returns a function that prints the guide once the addresses are known. */
async function prepareDemo(app: Deps): Promise<(addresses: DemoAddresses) => string> {
  const [{ seedDemo }, { demoGuide }, { daysAround }] = await Promise.all([
    import("../demo/seed.ts"),
    import("../demo/guide.ts"),
    import("../demo/days.ts"),
  ])
  const secrets = await seedDemo(app)
  return (addresses) => demoGuide(addresses, daysAround(app.clock()), secrets)
}
