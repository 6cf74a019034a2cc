import { connect } from "node:net"

const PATIENCE_MS = 60_000

export interface Attempt {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** The status of the answer; 0 when the connection was closed without one, and null when nothing happened for too long. */
export function sendRaw(url: string, { method, path, headers, body }: Attempt): Promise<number | null> {
  const { hostname, port } = new URL(url)
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: "close", ...headers })
  if (body !== null && !("Content-Length" in headers)) lines.push(["Content-Length", String(body.length)])
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n")
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = ""
    const finish = (status: number | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(status)
    }
    const timer = setTimeout(() => finish(null), PATIENCE_MS)
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      if (received.length < 200) received += data.toString("latin1")
    })
    socket.on("close", () => finish(Number(/HTTP\/1\.1 ([2-9]\d\d)/.exec(received)?.[1] ?? 0)))
    socket.write(head, "latin1")
    if (body !== null) socket.write(body)
    // Whoever announced more than it sends says that nothing more comes.
    if ("Content-Length" in headers) socket.end()
  })
}
