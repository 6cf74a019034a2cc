import type { Health } from "../../port/store.ts"
import type { SharedHealth } from "../../steps/health.ts"
import type { Connection } from "../engine/connection.ts"
import type { Acknowledged } from "../engine/failing-writes.ts"
import { SCHEMA, SCHEMA_VERSION } from "../engine/migrate.ts"
import { factsOf, integrityProblems } from "./server-state.ts"

// Checks that look at every row.
const LONG = { withinMs: 10 * 60_000 }

/** `version` is the server's, as it tells it. */
export function health(
  { read, pools }: Connection,
  shared: SharedHealth,
  { isInDoubt }: Pick<Acknowledged, "isInDoubt">,
  version: string,
): Health {
  async function firstRow<Row>(statement: string): Promise<Row | undefined> {
    const [row] = await read(({ rows }) => rows<Row>(statement))
    return row
  }

  return {
    ...shared,
    async ping() {
      const state = await firstRow<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby")
      if (state?.standby === true) throw new Error("it takes no writes: it is a standby")
    },
    isInDoubt,
    integrity: () => read(integrityProblems, LONG),
    async schema() {
      const schema = await firstRow<{ version: number; expected: number; fits: boolean }>(SCHEMA)
      return schema ?? { version: 0, expected: SCHEMA_VERSION, fits: false }
    },
    async sizeBytes() {
      return (await firstRow<{ bytes: number }>("SELECT pg_database_size(current_database()) AS bytes"))?.bytes ?? 0
    },
    facts: () => read((session) => factsOf(session, pools.size)),
    engine: `PostgreSQL ${version}`,
  }
}
