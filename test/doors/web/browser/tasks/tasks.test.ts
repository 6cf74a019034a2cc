import { expect } from "bun:test"
import { seedDemo } from "../../../../../src/demo/seed.ts"
import { createLog } from "../../../../../src/log/log.ts"
import { startApp } from "../../../../harness.ts"
import { browserTest, openTab } from "../chromium.ts"
import { Hand, type Manner, manners } from "./hand.ts"
import { tasks } from "./tasks.ts"

const PATIENCE_MS = 300_000
const emails = {
  ada: "ada@lighthouse.example",
  mo: "mo@lighthouse.example",
  olga: "olga@adbooth.example",
  flora: "flora@fernweh.example",
}

const only = process.env["TASK"]

async function doAll(manner: Manner) {
  await using app = await startApp({ isDemo: true })
  const log = createLog({ format: "json", clock: app.clock, write: () => undefined })
  await seedDemo({ ...app, log })
  const failures: string[] = []
  const counts: string[] = []
  for (const task of tasks) {
    if (only && !task.say.includes(only)) continue
    const user = await app.store.users.findByEmail(emails[task.who])
    if (user === null) throw new Error(`there is no ${task.who}`)
    await using tab = await openTab(app, user.id, {
      viewport: { width: manner.width, height: 900 },
      hasTouch: manner.width < 800,
    })
    const hand = new Hand(tab.page, manner)
    await hand.start()
    try {
      await task.run(hand, app)
      counts.push(`${task.say}: ${hand.clicks}, ${hand.pages}`)
    } catch (cause) {
      failures.push(`${task.say}: ${String(cause).slice(0, 600)} at ${tab.page.url()}`)
      if (process.env["SHOT"])
        await tab.page.screenshot({ path: `/tmp/sp/fail-${failures.length}-${manner.name}.png`, fullPage: true })
    }
    const complaints = tab.complaints.filter((text) => !text.includes("422"))
    if (complaints.length > 0) failures.push(`${task.say}: ${complaints.join("; ")}`)
  }
  return { failures, counts }
}

for (const manner of manners) {
  if (process.env["MANNER"] && process.env["MANNER"] !== manner.name) continue
  browserTest(
    `thirty tasks, ${manner.name}`,
    async () => {
      const { failures, counts } = await doAll(manner)
      console.log(counts.join("\n"))
      expect(failures).toEqual([])
    },
    PATIENCE_MS,
  )
}
