import { Elysia } from "elysia"
import { withChoices } from "../actions/alerts/alert-choice.ts"
import { countRefusal } from "../actions/operations/call-log.ts"
import { checkReadiness } from "../actions/operations/readiness.ts"
import { noteServing } from "../actions/operations/serving.ts"
import { ownSecret } from "../actions/settings.ts"
import { type Config, SERVED_WITH, type ServedWith } from "../config.ts"
import { ANSWER_SECONDS_MAX, BODY_BYTES_MAX } from "../domain/limits.ts"
import { once } from "../domain/memoize.ts"
import { wellKnown } from "../doors/agent/well-known.ts"
import { baseApp, nothingHere, probes } from "../doors/http/base-app.ts"
import { serverBounds } from "../doors/http/bounds.ts"
import { securityHeaders } from "../doors/http/headers.ts"
import { type Handle, lazyDoor } from "../doors/http/lazy-door.ts"
import { type Listener, type ListenParts, listen, type StopPace } from "../doors/http/listen.ts"
import { doorOf, requestIds } from "../doors/http/request.ts"
import { EVERYWHERE } from "../doors/http/reserved-port.ts"
import { wantsPage } from "../doors/http/wants-page.ts"
import { type WrongKeys, wrongKeys } from "../doors/http/wrong-keys.ts"
import { ingestDoor } from "../doors/ingest/index.ts"
import { openapiDocument } from "../doors/ingest/openapi.ts"
import { type MetricsServer, serveMetrics } from "../doors/metrics/index.ts"
import type { Measures } from "../doors/metrics/measures.ts"
import type { OpenedChannels } from "../jobs/alerts/alert-job.ts"
import { backupSchedule } from "../jobs/backup-schedule.ts"
import { httpsPorts, type PortOpener } from "../jobs/https/https-ports.ts"
import { type Https, keepHttps } from "../jobs/https/keep-https.ts"
import { upkeep } from "../jobs/upkeep.ts"
import { StoreUnavailable } from "../storage/port/unavailable.ts"
import { agentAddress, linkOrigins, reachable } from "./addresses.ts"
import type { Deps } from "./deps.ts"
import { fastPath } from "./fast-path.ts"
import { untilKept } from "./until-kept.ts"
import type { WebJobs } from "./wire-web.ts"

// Doors read bodies themselves.
const UNPARSED = { parse: "none" } as const

// The process that takes over waits until this one has stopped, and so do all new callers.
const HANDING_OVER: StopPace = { patienceMs: 1_000, lingerMs: 100 }

export interface RunningApp extends AsyncDisposable {
  /** http://HOST:PORT, where it listens. */
  readonly url: string
  /** What people open: the public URL, else where it listens. */
  readonly address: string
  readonly port: number
  readonly agentUrl: string
  /** The ports of HTTPS that are open now. */
  readonly httpsPort: number | null
  readonly httpPort: number | null
  /** Says whether another process waits for this one to stop. */
  handingOver(isWaiting: boolean): void
}

/** The composition root: builds the doors with everything they need, and starts listening. */
export async function startApp(parts: Deps, shortcut = fastPath): Promise<RunningApp> {
  const { config, measures } = parts
  let opened = await alertChannels(parts).catch(laterIfAway)
  const backups = backupSchedule(parts)
  const { listener, addresses, https } = await openDoors(parts, { backups }, shortcut)
  backups.start()
  const metrics = measures && startMetrics(parts, measures)
  const address = config.publicUrl ?? addresses.web
  const noting = await untilKept(parts.log, "address", async () => {
    opened ??= await alertChannels(parts)
    await noteServing(parts, {
      address,
      localAddress: reachable(addressOf(listener)),
      agentAddress: addresses.agent,
      servedWith: servedWith(config),
      alertChannels: opened.channels.map(({ name, target }) => ({ name, target })),
    })
    // Made before anybody asks for products: to list them writes nothing.
    await ownSecret(parts, "order_secret")
  })
  const maintenance = upkeep(parts)
  const alerts = (await import("../jobs/alerts/alert-job.ts")).alertJob(parts, address, opened)
  let pace: StopPace | undefined
  return {
    url: addressOf(listener),
    address,
    agentUrl: addresses.agent,
    port: listener.port,
    get httpsPort() {
      return https.ports.securePort
    },
    get httpPort() {
      return https.ports.plainPort
    },
    handingOver(isWaiting) {
      pace = isWaiting ? HANDING_OVER : undefined
    },
    async [Symbol.asyncDispose]() {
      noting[Symbol.dispose]()
      await maintenance[Symbol.asyncDispose]()
      await alerts[Symbol.asyncDispose]()
      await backups[Symbol.asyncDispose]()
      await https[Symbol.asyncDispose]()
      await Promise.all([listener.stop(pace), https.ports.stop(pace)])
      await metrics?.stop()
    },
  }
}

async function openDoors(parts: Deps, { backups }: Pick<WebJobs, "backups">, shortcut: typeof fastPath) {
  const { config, log } = parts
  // Known only after listening, which needs the doors; then at once, because callers come at once.
  const addresses = { agent: "", web: "" }
  const wrong = wrongKeys(parts)
  const agentUrl = () => addresses.agent
  // For the agent and for the files that say what it sells for.
  const views = once(async () => (await import("./wire-agent.ts")).viewsFor(parts, agentUrl, () => addresses.web))
  const agent = lazyDoor(async () => (await import("./wire-agent.ts")).wireAgent(parts, wrong, await views()))
  const startedAt = parts.clock()
  const https = Promise.withResolvers<Https>()
  const pages = lazyDoor(async () => {
    const { wireWeb } = await import("./wire-web.ts")
    return wireWeb(parts, { backups, startedAt, https: await https.promise }, addresses)
  })
  const openPort = portOpener(parts)
  const ingest = openIngest(parts, wrong)
  const origin = linkOrigins(config, () => addresses.web)
  const routes = baseApp(log)
    .use(httpDoors(parts, pages))
    .use(ingest.routes)
    .use(wellKnown(async () => (await views()).published()))
  const main = routes.get("/openapi.json", async ({ request: { url } }) =>
    Response.json(await openapiDocument(routes, origin(new URL(url)))),
  )
  // Browsers meet a page where programs meet the agent.
  const rootHandle: Handle = (request) => (wantsPage(request) ? pages(request) : agent(request))
  const handle = shortcut([...ingest.fastRoutes, ["/", rootHandle]], main.use(atTheRoot(rootHandle)).fetch)
  const listener = openPort(config.port, handle)
  addresses.web = reachable(addressOf(listener))
  addresses.agent = agentAddress(config, reachable(addressOf(listener)))
  https.resolve(await keepHttps(parts, httpsPorts(securePorts(config, handle, openPort), config.publicUrl)))
  return { listener, addresses, https: await https.promise }
}

/** Opens the ports of HTTPS, which are there for everybody, wherever the plain port listens. */
const securePorts = ({ httpsPort, httpPort }: Config, handle: Handle, openPort: OpenPort): PortOpener => ({
  secure: ({ cert, key }, isShared) =>
    openPort(httpsPort, handle, { hostname: EVERYWHERE, tls: { cert, key }, isShared }),
  plain: (answer) => openPort(httpPort, answer, { hostname: EVERYWHERE }),
})

type OpenPort = ReturnType<typeof portOpener>

function portOpener(parts: Deps) {
  const { config, log, random, reserved } = parts
  const shared = {
    hostname: config.host,
    log,
    requestIds: requestIds(random),
    trustProxy: config.trustProxy,
    headers: securityHeaders(config.publicUrl),
    bounds: serverBounds(),
    answerMs: ANSWER_SECONDS_MAX * 1_000,
    observe: observer(parts),
  }
  return (port: number, handle: Handle, how?: Partial<Pick<ListenParts, "hostname" | "tls" | "isShared">>) => {
    // Once: a later listener on the same port is one of our own.
    const reservedPort = how?.isShared ? undefined : reserved?.get(port)
    return listen({ ...shared, ...how, port, handle, reserved: reservedPort })
  }
}

/** Counts refused requests, and all requests if metrics are on. */
function observer(parts: Deps) {
  const { measures } = parts
  return (url: string, status: number, ms: number): void => {
    measures?.request(url, status, ms)
    if (status < 400) return
    const door = doorOf(url)
    if (door === "agent" || door === "ingest") countRefusal(parts, door, status)
  }
}

function startMetrics(parts: Deps, measures: Measures): MetricsServer {
  measures.watch(parts)
  const server = serveMetrics(measures, parts.config.host, parts.config.metricsPort ?? 0)
  parts.log.info("metrics", { url: server.url })
  return server
}

/** Where alerts go; none unless somebody named a place. Most installations need not load any of it. */
async function alertChannels(parts: Deps): Promise<OpenedChannels> {
  const settings = await withChoices(parts, parts.config)
  const openedFor = JSON.stringify(settings)
  if (settings.alertTo.length === 0 && settings.alertWebhook === null) return { channels: [], openedFor }
  const { openChannels } = await import("../jobs/alerts/channels.ts")
  return { channels: await openChannels(settings, parts.clock), openedFor }
}

/** Nobody waits for alerts: a database that is away is asked again once the server serves. */
function laterIfAway(cause: unknown): null {
  if (cause instanceof StoreUnavailable) return null
  throw cause
}

function httpDoors(parts: Deps, pages: Handle) {
  const { config, diskFreeBytes } = parts
  const isReady = () => checkReadiness(parts, { ...config, diskFreeBytes })
  return (
    new Elysia()
      .use(probes(isReady))
      .all("/app", ({ request }) => pages(request), UNPARSED)
      .all("/app/*", ({ request }) => pages(request), UNPARSED)
      .all("/order/*", ({ request }) => pages(request), UNPARSED)
      .get("/docs", ({ request }) => pages(request))
      .get("/docs/:guide", ({ request }) => pages(request))
      // Whatever else a browser asks for.
      .all("/*", ({ request }) => (wantsPage(request) ? pages(request) : nothingHere(request)), UNPARSED)
  )
}

function openIngest(parts: Deps, wrong: WrongKeys) {
  const { config, measures } = parts
  return ingestDoor(parts, {
    requestsPerMinute: config.limitIngest,
    bodyBytesMax: BODY_BYTES_MAX,
    wrongKeys: wrong,
    headers: securityHeaders(config.publicUrl),
    onReport: measures?.report,
  })
}

const atTheRoot = (handle: Handle) => new Elysia().all("/", ({ request }) => handle(request), UNPARSED)

const servedWith = (config: Config): ServedWith =>
  Object.fromEntries(SERVED_WITH.map((name) => [name, config[name]])) as unknown as ServedWith

const addressOf = ({ hostname, port }: Listener): string =>
  `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`
