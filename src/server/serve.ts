import { tmpdir } from "node:os"
import { join } from "node:path"
import { version } from "../../package.json"
import type { Context } from "../actions/context.ts"
import { takeOverSettings } from "../actions/operations/agent-settings.ts"
import { httpsChoice } from "../actions/operations/services.ts"
import { type Config, type ResolvedSettings, usesPostgres } from "../config.ts"
import type { DemoAddresses } from "../demo/guide.ts"
import { messageOf, UserError } from "../domain/user-error.ts"
import { privateFolder, replaceFile } from "../files/new-file.ts"
import { createLog, type Log } from "../log/log.ts"
import type { OpenedStore, Watching } from "../storage/open.ts"
import type { OpenStore } from "../storage/port/store.ts"
import { StoreAway, StoreUnavailable } from "../storage/port/unavailable.ts"
import { reachable, withHttps } from "./addresses.ts"
import { startApp } from "./app.ts"
import type { Deps } from "./deps.ts"
import { invitation, noteFailedStart, noteStart } from "./first-start.ts"
import type { HandOver, Predecessor, StartSuccessor } from "./hand-over.ts"
import { findNote, handOver, leaveNote, takeOver } from "./hand-over.ts"
import { untilKept } from "./until-kept.ts"
import { versions } from "./versions.ts"

export interface ServeParts extends Pick<Context, "clock" | "random"> {
  /** The disk and the backups of a server with these settings. */
  around(config: Config): Pick<Deps, "diskFreeBytes" | "diskTotalBytes" | "backupFolder">
  openStore(config: Config, watching: Watching): Promise<Pick<OpenedStore, "migrated"> & { readonly store: OpenStore }>
  out(text: string): void
  log(line: string): void
  readonly isTerminal: boolean
  /** Resolves with the name of the signal that stops the server. */
  readonly stopped: Promise<string>
  /** The server whose place this one takes; null when it takes none. */
  readonly predecessor: Predecessor | null
  /** Calls `start` when the operator wants the program file started again. Absent where ports cannot be handed over. */
  readonly successor: { startSuccessor: StartSuccessor; whenAsked(start: () => void): void } | null
}

type Wishes = Pick<ResolvedSettings, "settings" | "warnings" | "moved"> & { readonly demo: boolean }

export async function serve(wanted: Config, wishes: Wishes, parts: ServeParts): Promise<void> {
  const { demo, warnings, settings: chosen, moved } = wishes
  const { clock, random, predecessor } = parts
  // The demo uses a temporary folder: it touches no real data and leaves nothing behind.
  using folder = demo ? privateFolder(tmpdir(), "adbooth-demo-") : null
  const settings = folder === null ? wanted : demoConfig(wanted, folder.path)
  const format = settings.logFormat ?? (parts.isTerminal ? "text" : "json")
  const log = createLog({ format, clock, write: parts.log })
  for (const warning of warnings) log.warn(warning)
  const measures = settings.metricsPort === null ? undefined : await loadMeasures()
  const { config: taken, reserved } =
    predecessor === null ? { config: settings, reserved: undefined } : await takeOver(settings, predecessor)
  const { failed, ...watching } = watchDisk(log)
  const opened = await onceThere(() => parts.openStore(taken, { onCommit: measures?.commit, ...watching }), parts, log)
  if (opened === null) return
  const { store, migrated } = opened
  await using _ = store
  if (migrated.from > 0 && migrated.from < migrated.to) log.info("database upgraded", migrated)
  const prepared = async () => {
    const stored = await takeOverSettings({ store, clock }, moved, "setup")
    if (Object.keys(stored).length > 0) log.info("settings are stored now, and changed in the app", stored)
    return withHttps(taken, demo ? null : await httpsChoice(store))
  }
  const config = await onceThere(prepared, parts, log)
  if (config === null) return
  const app = {
    config,
    store,
    log,
    clock,
    random,
    ...parts.around(config),
    measures,
    reserved,
    settings: chosen,
    startAgain: demo || parts.successor === null ? null : () => handingOver?.start(),
  }
  let handingOver: HandOver | null = null
  const guide = demo ? await prepareDemo(app) : () => ""
  const data = usesPostgres(config) ? null : config.data
  const start = { version, copy: migrated.copy, data }
  await using running = await startApp(app).catch(async (cause) => {
    await noteFailedStart(app, start, cause)
    throw cause
  })
  await noteStart(app, start)
  using _noting = await untilKept(log, "hand-over", () => findNote(app, predecessor !== null))
  const { agentUrl } = running
  const isWaiting = (config.domain.length > 0 || config.tlsCert !== null) && running.httpsPort === null
  // Nobody answers at an address that has no certificate or no port yet.
  const url = isWaiting ? reachable(running.url) : running.address
  const secure = isWaiting
    ? "HTTPS: not answering yet; the log says why\n"
    : running.httpsPort !== null
      ? `HTTPS: ${running.address}\n`
      : ""
  const invited = await invitation(url, app).catch((cause) => {
    log.warn("no link for the first operator", { cause: messageOf(cause) })
    return ""
  })
  parts.out(`${invited}listening on ${running.url}\n${secure}${guide({ url, agentUrl })}`)
  if (predecessor !== null) log.info("took over", { pid: process.pid })
  // The demo's data goes with it.
  handingOver = demo || parts.successor === null ? null : handOver(running, parts.successor.startSuccessor, log)
  if (handingOver !== null) parts.successor?.whenAsked(handingOver.start)
  log.info("stopping", { signal: await Promise.race([parts.stopped, failed]) })
  if (handingOver?.isUnderWay()) await leaveNote(app)
}

const LOOKS_AGAIN_MS = 1_000
const SAYS_SO_EVERY = 30

/** What the database gives, once it is there; null when the server is stopped before. */
async function onceThere<Given>(ask: () => Promise<Given>, { stopped }: Pick<ServeParts, "stopped">, log: Log) {
  for (let tried = 0; ; tried += 1) {
    try {
      return await ask()
    } catch (cause) {
      if (!(cause instanceof StoreAway || cause instanceof StoreUnavailable)) throw cause
      if (tried % SAYS_SO_EVERY === 0) log.warn("waiting for the database", { problem: cause.message })
      const signal = await Promise.race([stopped, Bun.sleep(LOOKS_AGAIN_MS)])
      if (signal !== undefined) return null
    }
  }
}

/** What a disk that fails, and files that are gone, mean for the server. `failed` rejects when it has to stop. */
function watchDisk(log: Log) {
  const failed = Promise.withResolvers<never>()
  // It may come before anybody waits for it.
  failed.promise.catch(() => undefined)
  return {
    failed: failed.promise,
    onSyncFailure(failure: Error) {
      log.error("the disk failed, stopping", failure)
      failed.reject(new UserError(`Stopped: ${failure.message}.`))
    },
    // It goes on: its answers say what is wrong, a restart would not bring the file back, and pages can still be read.
    onFilesLost: (failure: Error) => log.error("nothing is accepted any more", failure),
  }
}

/** The settings of the demo: it keeps everything in this folder, and sends no alerts about what it made up. */
export function demoConfig(wanted: Config, data: string): Config {
  const noAlerts = { alertTo: [], smtp: null, alertWebhook: null }
  return { ...wanted, ...noAlerts, data, databaseUrl: null }
}

/** Loaded on demand: the library is slow to load. */
async function loadMeasures() {
  const { createMeasures } = await import("../doors/metrics/measures.ts")
  return createMeasures(versions())
}

/** Fills the store. Returns a function that writes the examples, and the guide, once the addresses are known. */
async function prepareDemo(app: Deps): Promise<(addresses: DemoAddresses) => string> {
  const [{ seedDemo }, { demoExamples, demoGuide }, { daysAround }] = await Promise.all([
    import("../demo/seed.ts"),
    import("../demo/guide.ts"),
    import("../demo/days.ts"),
  ])
  const secrets = await seedDemo(app)
  const examples = join(app.config.data, "examples.txt")
  return (addresses) => {
    replaceFile(examples, demoExamples(addresses, daysAround(app.clock()), secrets))
    return demoGuide(addresses, examples, secrets)
  }
}
