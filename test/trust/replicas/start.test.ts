import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { BINARY, hasBinary, serveBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { crashingServer } from "../../storage/postgres/crashing-server.ts"
import { networkTo } from "../../storage/postgres/network.ts"
import { noPostgres } from "../../storage/postgres/server.ts"
import { until } from "../../until.ts"

/** All that has been read of a stream so far. */
function collected(stream: ReadableStream<Uint8Array>): () => string {
  let text = ""
  void (async () => {
    for await (const chunk of stream) text += new TextDecoder().decode(chunk)
  })()
  return () => text
}

describe.concurrent.if(hasBinary && noPostgres === null)("a server and its PostgreSQL, at the start", () => {
  test("without a database it waits, says so, and serves once the database is there", async () => {
    using folder = temporaryFolder()
    using database = await crashingServer()
    await database.crash()
    const settings = ["--data", join(folder.path, "data"), "--database-url", database.url]
    const start = () => {
      const child = Bun.spawn([BINARY, "serve", "--port", "0", ...settings], {
        stdout: "pipe",
        stderr: "pipe",
        stdin: "ignore",
      })
      return { child, out: collected(child.stdout), err: collected(child.stderr) }
    }
    const isWaiting = ({ err }: ReturnType<typeof start>) => /waiting for the database.*cannot be reached/.test(err())
    const [waiting, stopped] = [start(), start()]
    await until(() => isWaiting(waiting) && isWaiting(stopped))
    stopped.child.kill("SIGTERM")
    expect(await stopped.child.exited).toBe(0)
    await database.start()
    await until(() => waiting.out().includes("listening on http"))
    waiting.child.kill("SIGTERM")
    expect(await waiting.child.exited).toBe(0)
  })

  test("one whose database falls silent before it listens waits, says so, and serves once it answers", async () => {
    using folder = temporaryFolder()
    using database = await crashingServer()
    using network = networkTo("127.0.0.1", database.port)
    let silentFor = /https|alert_to/
    network.fate = (sent) => (silentFor.test(sent) ? "hang" : "pass")
    const url = database.url.replace(`:${database.port}/`, `:${network.port}/`)
    const words = ["serve", "--port", "0", "--data", join(folder.path, "data"), "--database-url", url]
    const child = Bun.spawn([BINARY, ...words], { stdout: "pipe", stderr: "pipe", stdin: "ignore" })
    const [out, err] = [collected(child.stdout), collected(child.stderr)]
    await until(() => err().includes("waiting for the database"))
    silentFor = /alert_to/
    await until(() => out().includes("listening on http"))
    expect(err()).toContain("address not noted yet")
    silentFor = /nothing any more/
    const [, address = ""] = /listening on (http\S+)/.exec(out()) ?? []
    await until(async () => (await fetch(`${address}/readyz`)).status === 200)
    child.kill("SIGTERM")
    expect(await child.exited).toBe(0)
  })

  test("one that serves goes on when the database falls silent before all is noted, and notes it later", async () => {
    using folder = temporaryFolder()
    using database = await crashingServer()
    using network = networkTo("127.0.0.1", database.port)
    let isSilent = true
    network.fate = (sent) => (isSilent && /served_with|handed_over|versions_run/.test(sent) ? "hang" : "pass")
    const url = database.url.replace(`:${database.port}/`, `:${network.port}/`)
    await using server = await serveBinary(["--data", join(folder.path, "data"), "--database-url", url])
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(server.errors()).toContain("address not noted yet")
    expect(server.errors()).toContain("hand-over not noted yet")
    isSilent = false
    await until(async () => (await fetch(`${server.url}/readyz`)).status === 200)
    expect(await server.stop()).toBe(0)
  })
})
