import { test } from "bun:test"
import { checkHistories } from "../../doors/ingest/histories.ts"
import { noPostgres } from "../../storage/postgres/server.ts"
import { startReplicas } from "./given.ts"

test.skipIf(noPostgres !== null)(
  "whatever three replicas are told at the same time, totals, history and effects are those of the model",
  async () => {
    await using replicas = await startReplicas({ limitIngest: "100000" })
    await checkHistories(replicas.all, 20)
  },
  600_000,
)
