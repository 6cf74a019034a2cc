import { connect } from "node:net"

const PATIENCE_MS = 30_000

export interface Raw {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** The status of the answer, "closed" without one, or "no answer" if nothing happens for too long. */
export function sendRaw(url: string, { method, path, headers, body }: Raw): Promise<number | "closed" | "no answer"> {
  const { hostname, port } = new URL(url)
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, Connection: "close", ...headers })
  if (body !== null && !("Content-Length" in headers)) lines.push(["Content-Length", String(body.length)])
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n")
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = ""
    const finish = (result: number | "closed" | "no answer") => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => finish("no answer"), PATIENCE_MS)
    const answered = () => finish(Number(/HTTP\/1\.1 ([2-9]\d\d)/.exec(received)?.[1] ?? 0) || "closed")
    socket.on("error", answered)
    socket.on("data", (data) => {
      if (received.length < 200) received += data.toString("latin1")
    })
    socket.on("close", answered)
    socket.write(head, "latin1")
    if (body !== null) socket.write(body)
    // The server would otherwise wait for more than there is.
    if ("Content-Length" in headers || "Transfer-Encoding" in headers) socket.end()
  })
}
