import { expect, test } from "bun:test"
import { startApp } from "../harness.ts"

test.each(["0.0.0.0", "::"])("a server that listens on %s names an address that a browser can open", async (host) => {
  await using app = await startApp({ options: { host } })
  const { port } = new URL(app.url)
  const own = `http://${host === "::" ? "[::1]" : "127.0.0.1"}:${port}`
  // The links that the command line prints, and what the agent calls itself, come from here.
  const [web, agent] = await Promise.all([app.store.settings.get("address"), app.store.settings.get("agent_address")])
  expect({ web, agent, answer: (await fetch(`${own}/healthz`)).status }).toEqual({
    web: own,
    agent: `${own}/`,
    answer: 200,
  })
})
