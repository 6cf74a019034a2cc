import { expect } from "bun:test"
import { issueSetupLink } from "../../../../../src/actions/people/one-time-links.ts"
import { seedDemo } from "../../../../../src/demo/seed.ts"
import { createLog } from "../../../../../src/log/log.ts"
import { startApp } from "../../../../harness.ts"
import { browserTest, openTab } from "../chromium.ts"
import { before } from "./before.ts"
import { Hand, type Manner } from "./hand.ts"
import { type Task, tasks } from "./tasks.ts"

const PATIENCE_MS = 1_200_000
const emails: Readonly<Record<Exclude<Task["who"], "new">, string>> = {
  ada: "ada@lighthouse.example",
  mo: "mo@lighthouse.example",
  olga: "olga@adbooth.example",
  flora: "flora@fernweh.example",
}

/** Does all tasks in one manner. The counts in its column of the table must be those that are counted here. */
export function fortyTasks(manner: Manner): void {
  browserTest(
    `forty tasks, ${manner.does}`,
    async () => {
      const { failures, counts } = await doAll(manner)
      expect(failures).toEqual([])
      const rows = await documented()
      expect(rows.map(([say]) => say)).toEqual(tasks.map(({ say }) => say))
      const expected = rows.map(([say]) => [say, counts.get(say) ?? "", before[say] ?? ""])
      expect(rows.map((row) => [row[0], row[manner.column], row[3]])).toEqual(expected)
    },
    PATIENCE_MS,
  )
}

/** The rows of the table: task, at a desk, on a phone, before. */
async function documented(): Promise<[string, string, string, string][]> {
  const lines = (await Bun.file("docs/maintainers/tasks.md").text()).split("\n")
  const cells = lines.filter((line) => line.startsWith("| ")).map((line) => line.slice(2, -2).split(" | "))
  return cells.slice(1) as [string, string, string, string][]
}

async function doAll(manner: Manner) {
  await using app = await startApp()
  const log = createLog({ format: "json", clock: app.clock, write: () => undefined })
  await seedDemo({ ...app, log })
  const counts = new Map<string, string>()
  const failures: string[] = []
  const viewport = { width: manner.width, height: 900 }
  await using empty = await startApp()
  for (const { say, who, run } of tasks) {
    const user = who === "new" ? null : await app.store.users.findByEmail(emails[who])
    const at = who === "new" ? empty : app
    // Each in a session of its own, since one of the tasks ends another session.
    await using tab = await openTab(at, user?.id ?? null, { viewport, hasTouch: !manner.keyboard })
    const hand = new Hand(tab.page, manner)
    await hand.start(who === "new" ? ((await issueSetupLink(empty)) ?? "") : "/app")
    try {
      await run(hand)
      counts.set(say, `${countText(hand.clicks, "click")}, ${countText(hand.pages, "page")}`)
    } catch (cause) {
      failures.push(`${say} ${cause} (on ${tab.page.url()})`)
    }
    failures.push(...tab.complaints.map((text) => `${say} ${text}`))
  }
  return { failures, counts }
}

const countText = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`
