import { connect } from "node:net"

export interface RawConnection {
  send(text: string): void
  /** Everything that came back, once there is a part of it that fits. */
  until(part: RegExp): Promise<string>
  /** Everything that came back, once the other end closed. */
  readonly closed: Promise<string>
  end(): void
}

/** A connection on which anything can be said, also what no client would say. */
export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ""
  let wake = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<string>()
  socket.on("data", (data) => {
    received += data.toString()
    wake.resolve()
  })
  socket.on("error", () => undefined)
  socket.on("close", () => closed.resolve(received))
  await new Promise((resolve) => socket.once("connect", resolve))
  return {
    send: (text) => void socket.write(text),
    async until(part) {
      while (!part.test(received)) {
        wake = Promise.withResolvers()
        await Promise.race([wake.promise, closed.promise.then(() => Promise.reject(new Error(`closed: ${received}`)))])
      }
      return received
    },
    closed: closed.promise,
    end: () => socket.destroy(),
  }
}
