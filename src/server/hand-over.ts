import type { Config } from "../config.ts"
import { reservePort } from "../doors/http/reserved-port.ts"
import type { Log } from "../log/log.ts"
import type { RunningApp } from "./app.ts"

/** The ports that a process listens on, as far as another one can open them too. */
export interface HandedPorts {
  readonly port: number
  readonly agentPort: number | null
}

/** The process that this one takes over from. */
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
  const numbers = [ports.port, ports.agentPort].filter((port) => port !== null)
  const reserved = new Map(numbers.map((port) => [port, reservePort({ hostname: config.host, port })]))
  await stop()
  return { config: { ...config, ...ports }, reserved }
}

export interface HandOverParts {
  /** Starts the program file, which may be a new one, with the arguments of this process. Resolves with its exit code. */
  startSuccessor(ports: HandedPorts): Promise<number>
}

/** Starts a successor, which stops this process when it is ready. If it fails before that, nothing changes. */
export function handOver(running: RunningApp, { startSuccessor }: HandOverParts, log: Log): () => Promise<void> {
  let isUnderWay = false
  return async () => {
    if (isUnderWay) return
    isUnderWay = true
    running.handingOver(true)
    log.info("starting the program file again, which takes over when it is ready")
    const { port, agentPort } = running
    const failed = await startSuccessor({ port, agentPort }).catch((cause) => String(cause))
    log.error("the new process did not take over: this one goes on serving", new Error(`It ended with ${failed}.`))
    running.handingOver(false)
    isUnderWay = false
  }
}
