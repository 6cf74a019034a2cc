const LINGER_BYTES_MAX = 16 * 1_048_576
const LINGER_MS_MAX = 2_000

/**
 * Sends an answer that ends the connection, and meanwhile takes in and throws away what is still coming: a caller that is cut off
 * while it sends may never see the answer. Only for a moment, because some would go on for ever.
 */
export function drainThenClose(request: Request, response: Response): Response {
  const rest = request.body
  if (rest === null || rest.locked || response.body === null) return response
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(await response.bytes())
      await discard(rest)
      controller.close()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

async function discard(rest: ReadableStream<Uint8Array>): Promise<void> {
  const reader = rest.getReader()
  const patience = Promise.withResolvers<"over">()
  const timer = setTimeout(() => patience.resolve("over"), LINGER_MS_MAX)
  try {
    for (let bytes = 0; bytes < LINGER_BYTES_MAX; ) {
      const read = await Promise.race([reader.read(), patience.promise])
      if (read === "over" || read.done) return
      bytes += read.value.length
    }
  } catch {
    // The caller has hung up, which is as good.
  } finally {
    clearTimeout(timer)
  }
}
