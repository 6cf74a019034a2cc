/** A small load balancer: each request goes to the next server, whatever became of the one before, and no request is sent twice. */
export interface Proxy extends AsyncDisposable {
  readonly url: string
}

/** `targets` are asked for anew with every request: servers come and go. */
export function startProxy(targets: () => readonly string[]): Proxy {
  let turn = 0
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const urls = targets()
      const target = urls[turn++ % Math.max(1, urls.length)]
      if (target === undefined) return new Response("no server", { status: 502 })
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      try {
        const body = method === "GET" ? null : await request.arrayBuffer()
        return await fetch(`${target}${pathname}${search}`, { method, headers, body, keepalive: false })
      } catch {
        return new Response("the server did not answer", { status: 502 })
      }
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) }
}
