export interface BenchRequest {
  /** POST unless it says otherwise. */
  readonly method?: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Each request as it goes over the wire, after a line with its length: easy to read for both load generators. */
export async function writeRequests(file: string, requests: readonly BenchRequest[]): Promise<void> {
  const writer = Bun.file(file).writer()
  for (const request of requests) {
    const wire = onTheWire(request)
    writer.write(`${Buffer.byteLength(wire)}\n${wire}`)
  }
  await writer.end()
}

export async function readRequests(file: string): Promise<Buffer[]> {
  const bytes = Buffer.from(await Bun.file(file).arrayBuffer())
  const requests: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const start = bytes.indexOf("\n", at) + 1
    const end = start + Number(bytes.toString("latin1", at, start - 1))
    requests.push(bytes.subarray(start, end))
    at = end
  }
  return requests
}

function onTheWire({ method = "POST", path, headers, body }: BenchRequest): string {
  const length: Record<string, string> = body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) }
  const all = { Host: "127.0.0.1", ...headers, ...length }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`
}
