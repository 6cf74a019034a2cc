import { join } from "node:path"
import type { Scenario } from "./scenario.ts"

export const briefs: Scenario = {
  name: "briefs",
  title: "How well briefs are searched, beside plain BM25",
  async run() {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "../briefs/run.ts")], { stdout: "pipe" })
    const text = await new Response(child.stdout).text()
    if ((await child.exited) !== 0) throw new Error("The briefs couldn't be searched.")
    return text.trimEnd().split("\n")
  },
}
