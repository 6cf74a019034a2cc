// Promise: a new program file takes over without a lost request, never two processes serve from one database, and a file that does not
// start changes nothing. Held by test/trust/one-server.test.ts and torture/parts/hand-over.ts.
import { hostname } from "node:os"
import { endHandOver, noteHandOver } from "../actions/operations/serving.ts"
import type { Config } from "../config.ts"
import { type Address, EVERYWHERE, reservePort } from "../doors/http/reserved-port.ts"
import { certificateInForce } from "../jobs/https/certificate-files.ts"
import type { Log } from "../log/log.ts"
import type { RunningApp } from "./app.ts"
import type { Deps } from "./deps.ts"

/** The ports that a process listens on, as far as another one can open them too. */
export interface HandedPorts {
  readonly port: number
  readonly httpsPort: number | null
  readonly httpPort: number | null
}

export interface Predecessor {
  readonly ports: HandedPorts
  /** Tells it to stop. Resolves when it has ended: only then may this process open the database. */
  stop(): Promise<void>
}

/**
 * Takes over from a running server: opens its ports, so that new connections find somebody, and tells it to stop. Requests that
 * arrive from then on wait. There are never two processes that serve from the same database.
 */
export async function takeOver(config: Config, { ports, stop }: Predecessor) {
  // Loading takes longer than everything else: it is done while the other process still answers.
  await Promise.all([import("./wire-agent.ts"), import("./wire-web.ts")])
  const { port, httpsPort, httpPort } = ports
  const certificate = httpsPort === null ? null : certificateInForce(config)
  const addresses: readonly (Address | null)[] = [
    { hostname: config.host, port },
    httpPort === null ? null : { hostname: EVERYWHERE, port: httpPort },
    httpsPort === null || certificate === null ? null : { hostname: EVERYWHERE, port: httpsPort, tls: certificate },
  ]
  const reserved = new Map(
    addresses.filter((address) => address !== null).map((address) => [address.port, reservePort(address)]),
  )
  await stop()
  return { config: { ...config, port }, reserved }
}

/** Starts the program file, which may be a new one, with the arguments of this process. Resolves with its exit code. */
export type StartSuccessor = (ports: HandedPorts) => Promise<number>

export type HandOver = ReturnType<typeof handOver>

/** Starts a successor, which stops this process when it is ready. If it fails before that, nothing changes. */
export function handOver(running: RunningApp, startSuccessor: StartSuccessor, log: Log) {
  let isUnderWay = false
  return {
    /** Whether another process waits for this one to stop. */
    isUnderWay: () => isUnderWay,
    async start(): Promise<void> {
      if (isUnderWay) return
      isUnderWay = true
      running.handingOver(true)
      log.info("starting the program file again, which takes over when it is ready")
      const { port, httpsPort, httpPort } = running
      const failed = await startSuccessor({ port, httpsPort, httpPort }).catch((cause) => String(cause))
      log.error("the new process did not take over: this one goes on serving", new Error(`It ended with ${failed}.`))
      running.handingOver(false)
      isUnderWay = false
    },
  }
}

/**
 * Notes that nobody serves until the other process does. The old process cannot wait for that: it must have ended before the new one
 * opens the database. So the next one that serves on this machine finds the note, and says what happened if it is not that one.
 */
export async function leaveNote(app: Deps): Promise<void> {
  await noteHandOver(app, hostname()).catch((cause) => app.log.warn("hand-over not noted", { cause: String(cause) }))
}

export async function findNote(app: Deps, isSuccessor: boolean): Promise<void> {
  const since = await endHandOver(app, hostname())
  if (since === null || isSuccessor) return
  const gap = new Error(`Nobody served from ${since} until now.`)
  app.log.error("the process that took over ended before it could serve", gap)
}
