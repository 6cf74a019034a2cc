import { connect } from "node:net"

export interface RawConnection {
  send(text: string | Uint8Array): void
  /** Whether anything came back. */
  isAnswered(): boolean
  /** Everything that came back, once there is a part of it that fits. */
  until(part: RegExp): Promise<string>
  /** Everything that came back, once the other end closed. */
  readonly closed: Promise<string>
  end(): void
}

/** A connection on which anything can be said, also what no client would say. `from` is another address of this machine, such as 127.0.0.2. */
export async function rawConnection(url: string, from?: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(from !== undefined && { localAddress: from }) })
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
    isAnswered: () => received !== "",
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

/** What a connection may have answered before anybody else has a turn. */
export const ANSWERED_MAX = 66

export const answersIn = (text: string): number => text.split(/HTTP\/1\.1 \d{3} /).length - 1
