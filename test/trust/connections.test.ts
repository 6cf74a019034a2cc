import { expect, spyOn, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serverBounds } from "../../src/doors/http/bounds.ts"
import { listen } from "../../src/doors/http/listen.ts"
import { createLog } from "../../src/log/log.ts"
import { requestTo } from "./every-address.ts"

const CONNECTIONS = 300
// Of a clock that goes on by being looked at: fifty looks, of which each request takes one at least.
const ANSWERED_IN_A_TURN_MAX = 60

const isLinux = process.platform === "linux"
if (!isLinux) console.log("not tried here: only on Linux accepting stops for a moment")

/** Opens all connections, sends a request on each and counts the answers, in a process of its own. */
function startCaller(port: number, sent: string) {
  const script = `
    import { connect } from "node:net"
    import { writeFileSync } from "node:fs"
    let [isSent, answered] = [0, 0]
    for (let i = 0; i < ${CONNECTIONS}; i++) {
      const socket = connect(${port}, "127.0.0.1")
      socket.on("error", () => undefined)
      socket.once("connect", () => socket.write(${JSON.stringify(requestTo("/"))}, () => {
        if (++isSent === ${CONNECTIONS}) writeFileSync(${JSON.stringify(sent)}, "")
      }))
      socket.once("data", () => {
        if (++answered === ${CONNECTIONS}) { console.log("all"); process.exit() }
      })
    }`
  return Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" })
}

test.if(isLinux)(
  "of many connections that wait, few are answered before anybody else has a turn, and none is lost",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "adbooth-connections-"))
    let answered = 0
    const listener = listen({
      hostname: "127.0.0.1",
      port: 0,
      handle() {
        answered++
        return new Response("done")
      },
      log: createLog({ format: "json", clock: () => 0, write: () => undefined }),
      requestIds: () => "id",
      trustProxy: [],
      headers: {},
      bounds: serverBounds(),
      answerMs: 60_000,
    })
    const descriptors = () => readdirSync("/proc/self/fd").length
    const before = descriptors()
    const caller = startCaller(listener.port, join(folder, "sent"))
    // Nothing is accepted meanwhile: all of them wait.
    while (!existsSync(join(folder, "sent"))) Bun.sleepSync(5)
    let now = performance.now()
    const clock = spyOn(performance, "now").mockImplementation(() => now++)
    const seen = [0]
    while (answered < CONNECTIONS) {
      await new Promise((resolve) => setImmediate(resolve))
      seen.push(answered)
    }
    clock.mockRestore()
    const most = Math.max(...seen.map((count, i) => count - (seen[i - 1] ?? 0)))
    expect(await new Response(caller.stdout).text()).toBe("all\n")
    expect(most).toBeLessThanOrEqual(ANSWERED_IN_A_TURN_MAX)
    await listener.stop()
    // The one that means nothing stays, and nothing else does.
    expect(descriptors() - before).toBeLessThanOrEqual(1)
    rmSync(folder, { recursive: true })
  },
  60_000,
)
