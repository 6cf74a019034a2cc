const DRAIN_BYTES_MAX = 16 * 1_048_576
const DRAIN_MS_MAX = 2_000

/**
 * Sends a response that closes the connection, but first reads and discards the rest of the body, up to a limit: a client that is cut
 * off while sending may never see the response. `onEnd` is called when nothing of the body is in memory any more.
 */
export function drainThenClose(request: Request, response: Response, onEnd: () => void): Response {
  const rest = request.body
  if (rest === null || rest.locked || response.body === null) {
    onEnd()
    return response
  }
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(await response.bytes())
      await discard(rest)
      onEnd()
      controller.close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

async function discard(rest: ReadableStream<Uint8Array>): Promise<void> {
  const reader = rest.getReader()
  const timeout = Promise.withResolvers<"timeout">()
  const timer = setTimeout(() => timeout.resolve("timeout"), DRAIN_MS_MAX)
  try {
    for (let bytes = 0; bytes < DRAIN_BYTES_MAX; ) {
      const read = await Promise.race([reader.read(), timeout.promise])
      if (read === "timeout" || read.done) return
      bytes += read.value.length
    }
  } catch {
    // The client has disconnected: nothing left to read.
  } finally {
    clearTimeout(timer)
  }
}
