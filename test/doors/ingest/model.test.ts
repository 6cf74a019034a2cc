import { test } from "bun:test"
import { startApp } from "../../harness.ts"
import { checkHistories } from "./histories.ts"

test("whatever is reported, in whatever order and however concurrently, totals, history and effects are those of the model", async () => {
  await using app = await startApp({ options: { limitIngest: "100000" } })
  await checkHistories([app], 40)
})
