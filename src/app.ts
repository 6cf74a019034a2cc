import { Elysia } from "elysia"
import { checkReadiness } from "./actions/check-readiness.ts"
import type { Context } from "./actions/context.ts"
import type { BackupFolder } from "./actions/keep-backups.ts"
import { type BackupKeeper, backupKeeper } from "./backup-keeper.ts"
import type { Config, ServedWith } from "./config.ts"
import { failure } from "./domain/failure.ts"
import { BODY_BYTES_AT_A_TIME_MAX, BODY_SECONDS_UNDER_LOAD_MAX, REQUESTS_AT_A_TIME_MAX } from "./domain/limits.ts"
import { signInPace } from "./domain/sign-in-pace.ts"
import { type Listener, listen } from "./doors/http/listen.ts"
import { probes } from "./doors/http/probes.ts"
import { problem } from "./doors/http/problem.ts"
import { requestIds } from "./doors/http/request-ids.ts"
import { metaOf } from "./doors/http/request-meta.ts"
import { securityHeaders } from "./doors/http/security-headers.ts"
import { ingestDoor } from "./doors/ingest/index.ts"
import { type MetricsServer, serveMetrics } from "./doors/metrics/index.ts"
import type { Measures } from "./doors/metrics/measures.ts"
import { webDoor } from "./doors/web/index.ts"
import type { Log } from "./log.ts"
import { agentAddress, forgetCallsRegularly, openAgent } from "./open-agent.ts"

// Notes such as "key last used" wait at most so long for a commit to ride along with.
const NOTES_INTERVAL_MS = 5_000

export interface AppParts extends Context {
  readonly config: Config
  readonly log: Log
  readonly diskFreeBytes: (directory: string) => Promise<number>
  readonly backupFolder: (config: Config) => BackupFolder
  /** What is counted, where metrics are asked for. */
  readonly measures?: Measures | undefined
}

export interface RunningApp extends AsyncDisposable {
  /** Where it answers, as http://HOST:PORT. */
  readonly url: string
  readonly port: number
  /** Where the sales agent answers. */
  readonly agentUrl: string
}

/** Opens the doors. The composition root: whatever they need is put together here. */
export async function startApp(parts: AppParts): Promise<RunningApp> {
  const { config, store, log, random, measures } = parts
  const backups = backupKeeper(parts, config, parts.backupFolder(config))
  // Known only once somebody listens, which needs the doors to be there.
  const addresses = { agent: "" }
  const agent = openAgent(parts, () => addresses.agent)
  const ids = requestIds(random)
  const openPort = (port: number, doors: Doors) =>
    listen({
      hostname: config.host,
      port,
      handle: doors.fetch,
      log,
      requestIds: ids,
      headers: securityHeaders(config.publicUrl),
      limits: {
        requestsMax: REQUESTS_AT_A_TIME_MAX,
        bytesMax: BODY_BYTES_AT_A_TIME_MAX,
        bodyBytesMax: config.maxBody,
        slowBodyMs: BODY_SECONDS_UNDER_LOAD_MAX * 1_000,
      },
      ...(measures && { observe: measures.request }),
    })
  const main = withDoors(parts).use(httpDoors(parts, backups)).use(agent.published)
  const listener = openPort(config.port, config.agentPort === null ? main.use(agent.door) : main)
  const agentListener = config.agentPort === null ? null : openPort(config.agentPort, withDoors(parts).use(agent.door))
  backups.start()
  const metrics = measures && startMetrics(parts, measures)
  const url = addressOf(listener)
  addresses.agent = agentAddress(config, addressOf(agentListener ?? listener))
  await Promise.all([
    store.settings.set("address", config.publicUrl ?? url),
    store.settings.set("agent_address", addresses.agent),
    store.settings.set("served_with", JSON.stringify(servedWith(config))),
  ])
  const notes = setInterval(
    () => void store.flushNotes().catch((cause) => log.warn("notes not written", { cause: String(cause) })),
    NOTES_INTERVAL_MS,
  )
  const calls = forgetCallsRegularly(parts)
  return {
    url,
    agentUrl: addresses.agent,
    port: listener.port,
    async [Symbol.asyncDispose]() {
      calls[Symbol.dispose]()
      clearInterval(notes)
      await backups[Symbol.asyncDispose]()
      await Promise.all([listener.stop(), agentListener?.stop()])
      await metrics?.stop()
    },
  }
}

function startMetrics(parts: AppParts, measures: Measures): MetricsServer {
  measures.watch(parts)
  const server = serveMetrics(measures, parts.config.host, parts.config.metricsPort ?? 0)
  parts.log.info("metrics", { url: server.url })
  return server
}

type Doors = Pick<Elysia, "fetch">

/** What answers when no door does. */
function withDoors({ log }: AppParts) {
  // Also where the host is as short as "a.b": otherwise the path would be looked for behind it.
  return new Elysia({ handler: { standardHostname: false } }).onError(({ code, error, request }) => {
    if (code === "NOT_FOUND") return problem(failure("not_found", "There is nothing at this address."), request)
    log.error("unexpected failure", error, { request: metaOf(request).id })
    return problem(failure("internal_error", "This is our fault, and it is in our log."), request)
  })
}

function httpDoors(parts: AppParts, backups: BackupKeeper) {
  const { config } = parts
  const surroundings = {
    diskFreeBytes: () => parts.diskFreeBytes(config.data),
    backupEvery: config.backupEvery,
  }
  return new Elysia()
    .use(probes(() => checkReadiness(parts, surroundings)))
    .use(
      ingestDoor(parts, {
        requestsPerMinute: config.limitIngest,
        bodyBytesMax: config.maxBody,
        onReport: parts.measures?.report,
      }),
    )
    .use(webDoor({ ...parts, backups, signInPace: signInPace(randomSeed(parts)) }))
}

function randomSeed({ random }: AppParts): number {
  return random(4).reduce((seed, byte) => seed * 256 + byte, 0)
}

function servedWith({ host, publicUrl, trustProxy, backupEvery }: Config): ServedWith {
  return { host, publicUrl, trustProxy, backupEvery }
}

function addressOf({ hostname, port }: Listener): string {
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`
}
