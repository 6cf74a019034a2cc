import { startApp, type TestApp } from "../../harness.ts"
import { freshDatabase } from "../../storage/postgres/server.ts"

export const REPLICAS = 3

export interface Replicas extends AsyncDisposable {
  readonly first: TestApp
  readonly all: readonly TestApp[]
  readonly databaseUrl: string
}

/** Servers on one PostgreSQL database, by one clock. */
export async function startReplicas(options: Readonly<Record<string, string>> = {}): Promise<Replicas> {
  await using started = new AsyncDisposableStack()
  const { url } = started.use(await freshDatabase())
  const databaseUrl = `${url}&pool_size=4`
  const first = started.use(await startApp({ options: { ...options, databaseUrl } }))
  const all = [first]
  while (all.length < REPLICAS) all.push(started.use(await startApp({ options, beside: first })))
  const close = started.move()
  return { first, all, databaseUrl, [Symbol.asyncDispose]: () => close.disposeAsync() }
}

/** One of them, as a proxy would choose in turn. */
export function inTurn({ first, all }: Replicas, n: number): TestApp {
  return all[n % all.length] ?? first
}
