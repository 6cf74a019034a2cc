import { expect, test } from "bun:test"
import { connect } from "node:net"
import { givenIngestKey, givenOrganization } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { DELIVERY } from "./feed.ts"

const CHUNK = `400\r\n${" ".repeat(0x400)}\r\n`
const EVERY_MS = 20

test("whoever goes on sending after the answer is cut off within a minute, with a right key or a wrong one", async () => {
  await using app = await startApp()
  const key = await givenIngestKey(app, await givenOrganization(app))
  const { hostname, port } = new URL(app.url)
  const cutOff = [key, "wrong"].map((bearer) => {
    const socket = connect(Number(port), hostname)
    socket.on("error", () => undefined)
    const head = `POST ${DELIVERY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}`
    socket.write(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n400000\r\n${" ".repeat(0x400000)}\r\n`)
    const pouring = setInterval(() => socket.write(CHUNK), EVERY_MS)
    return new Promise((resolve) => socket.once("close", resolve)).finally(() => clearInterval(pouring))
  })
  expect(await Promise.all(cutOff)).toHaveLength(2)
}, 600_000)
