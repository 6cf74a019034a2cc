// Promise: a connection that hangs is given up, the others get their answers, and the next operation finds the server that takes writes.
// Held by test/storage/postgres/engine/access.test.ts and test/storage/postgres/failover.test.ts.
import { SQL } from "bun"
import { type Address, addressInWords, type Host } from "../../../domain/operations/database-url.ts"
import { DatabaseAwayError, DeadlineError, isRefused, isUnsupportedSetting } from "./postgres-errors.ts"
import { type Candidate, choosePrimary, highestTimelines, inTime, stateOf } from "./primary.ts"
import { queriesOn, rowsOf, type Session } from "./session.ts"
import { OPERATION_MS, within } from "./within.ts"

const CONNECT_SECONDS = 3
// How long what is under way on a pool that is given up may take to finish: longer than any operation but the longest.
const DRAIN_SECONDS = OPERATION_MS / 1_000 + 1
// A little more than anybody waits for an answer. Without it, statements whose callers have long given up would fill the server.
const STATEMENT_MS = OPERATION_MS + 500

/** The connections to one server, and statements on any of them. */
export interface Pool extends Session {
  readonly client: SQL
  /** Whether the server itself ends statements that take too long: a pooler in between may not let us say so. */
  readonly endsStatements: boolean
  /** The server takes no writes, although it is a primary, or the only one that there is. */
  readonly isReadOnly: boolean
  /** By `performance.now()`. */
  readonly since: number
}

export type Pools = ReturnType<typeof openPools>

/**
 * The pool of the day. Bun's client connects again by itself where a connection breaks; what it cannot do is give up a connection that
 * hangs, go to another host, or notice that an old server has returned. A whole new pool does all three.
 */
export function openPools(address: Address) {
  const timelines = highestTimelines()
  let current: Promise<Pool> | null = null
  let opened: Pool | null = null
  let draining: SQL | null = null
  let endsStatements = true

  /** One host's server and what it says of itself. Throws when it does not answer. */
  async function ask(host: Host, saysTimeout = endsStatements): Promise<Candidate> {
    const client: SQL = new SQL({
      ...clientOptions(address, host, saysTimeout),
      // One more that is refused is none that was lost: the others go on.
      onclose: (cause) => opened?.client === client && !isRefused(cause) && giveUp(opened),
    })
    try {
      return { host, client, ...(await within(CONNECT_SECONDS * 1_000, stateOf(client))) }
    } catch (cause) {
      drop(client)
      if (cause instanceof DeadlineError) throw new DatabaseAwayError(`${host.name}:${host.port} did not answer`)
      if (!saysTimeout || !isUnsupportedSetting(cause)) throw cause
      endsStatements = false
      return ask(host)
    }
  }

  async function open(): Promise<Pool> {
    const attempts = address.hosts.map((host) => ask(host))
    const candidates = await inTime(attempts)
    const chosen = choosePrimary(address, candidates, timelines)
    for (const it of attempts) it.then((other) => other !== chosen && drop(other.client)).catch(() => undefined)
    if (chosen === undefined) {
      // Of one host everything is known that can be known.
      if (attempts.length === 1 && candidates.length === 0) await attempts[0]
      throw noPrimary(address, candidates.some(timelines.isOld))
    }
    opened = poolOf(chosen, endsStatements)
    return opened
  }

  /** Something on this pool hung, or its server takes no writes: the next operation gets a new pool. Told twice is told once. */
  function giveUp(pool: Pool): void {
    if (pool !== opened) return
    opened = null
    current = null
    // Every query that still runs on it gets its answer or its error; it is not waited for here. Only one pool at a time has that time:
    // there are never more connections than those of two.
    if (draining !== null) drop(draining)
    draining = pool.client
    pool.client.close({ timeout: DRAIN_SECONDS }).catch(() => undefined)
  }

  return {
    /** How many connections there are at most. */
    size: address.poolSize,
    current(): Promise<Pool> {
      current ??= open().catch((cause) => {
        // Not remembered: the next operation looks again.
        current = null
        throw cause
      })
      return current
    },
    giveUp,
    async [Symbol.asyncDispose]() {
      const last = await current?.catch(() => null)
      opened = null
      await last?.client.close({ timeout: DRAIN_SECONDS })
    },
  }
}

function poolOf({ client, isReadOnly }: Candidate, endsStatements: boolean): Pool {
  return {
    client,
    drizzle: queriesOn(client),
    rows: (statement, values) => rowsOf(client, statement, values),
    isReadOnly,
    endsStatements,
    since: performance.now(),
  }
}

function noPrimary(address: Address, hasOld: boolean): DatabaseAwayError {
  const where = addressInWords(address)
  return new DatabaseAwayError(
    hasOld
      ? `An old primary has returned at ${where}: a standby of it was promoted meanwhile`
      : `No server of ${where} answers and takes writes`,
  )
}

function drop(client: SQL): void {
  client.close({ timeout: 0 }).catch(() => undefined)
}

function clientOptions(address: Address, { name, port }: Host, saysTimeout: boolean): SQL.PostgresOrMySQLOptions {
  const isSocket = name.startsWith("/")
  return {
    // Bun would otherwise look for a URL in the environment. It carries nothing secret, and the sslmode as libpq names it.
    url: `postgres://localhost/?sslmode=${isSocket ? "disable" : tlsMode(address)}`,
    adapter: "postgres",
    hostname: name,
    port,
    username: address.user,
    password: address.password,
    database: address.database,
    prepare: address.prepare,
    max: address.poolSize,
    connectionTimeout: CONNECT_SECONDS,
    connection: {
      application_name: address.applicationName,
      ...(saysTimeout && { statement_timeout: STATEMENT_MS }),
    },
    ...(!isSocket && tlsFiles(address)),
  }
}

// As libpq has it: who names a root certificate wants the server's to be checked by it.
const tlsMode = ({ tlsMode: mode, rootCertificate }: Address): Address["tlsMode"] =>
  mode === "require" && rootCertificate !== null ? "verify-ca" : mode

function tlsFiles({
  rootCertificate,
  certificate,
  key,
  tlsMode: mode,
}: Address): Pick<SQL.PostgresOrMySQLOptions, "tls"> {
  const usesTls = mode === "require" || mode.startsWith("verify")
  if (!usesTls || (rootCertificate === null && certificate === null)) return {}
  return {
    tls: {
      ...(rootCertificate !== null && rootCertificate !== "system" && { ca: Bun.file(rootCertificate) }),
      ...(certificate !== null && { cert: Bun.file(certificate) }),
      ...(key !== null && { key: Bun.file(key) }),
    },
  }
}
