export interface Heard {
  readonly path: string
  readonly host: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Alerted {
  readonly title: string
  readonly state: string
  readonly detail: string
  readonly kind: string
  readonly url: string
}

/** A receiver of webhooks that answers as told, and keeps what it hears. */
export function receiver(answer: () => Response = () => new Response("ok"), tls?: { cert: string; key: string }) {
  const heard: Heard[] = []
  const waiting: (() => void)[] = []
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls !== undefined && { tls }),
    async fetch(request) {
      const headers = Object.fromEntries(request.headers)
      const { pathname, search } = new URL(request.url)
      heard.push({ path: pathname + search, host: request.headers.get("host"), headers, body: await request.text() })
      for (const tell of waiting.splice(0)) tell()
      return answer()
    },
  })
  return {
    heard,
    port: server.port,
    url: `http://127.0.0.1:${server.port}/hooks/T0KEN`,
    /** What was received since the last time somebody asked, one entry for each message. */
    news: () => heard.splice(0).map(({ body }) => (JSON.parse(body) as { alerts: Alerted[] }).alerts),
    /** Resolves when something is received. */
    next: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
