import { connect, createServer, type Socket } from "node:net"

/** A network between a program and a server on this machine. It can be slow, and it can be cut. */
export interface Link extends Disposable {
  readonly port: number
  /** From now on nothing passes, and nobody is told. */
  cut(): void
  /** Closes the connections that were cut. New ones work again. */
  mend(): void
}

/** Everything that the server sends arrives later by `delayMs`. */
export async function openLink(serverPort: number, delayMs = 0): Promise<Link> {
  const sockets = new Set<Socket>()
  let isCut = false

  function forward(from: Socket, to: Socket, ms: number): void {
    sockets.add(from)
    const later = (deliver: () => void) => void (ms === 0 ? deliver() : setTimeout(deliver, ms))
    from.on("data", (bytes) => later(() => void (isCut || to.destroyed || to.write(bytes))))
    from.on("close", () => later(() => void (isCut || to.end())))
    from.on("close", () => sockets.delete(from))
    from.on("error", () => undefined)
    from.setNoDelay(true)
  }

  const listener = createServer((program) => {
    const server = connect(serverPort, "127.0.0.1")
    forward(program, server, 0)
    forward(server, program, delayMs)
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  const address = listener.address()
  if (address === null || typeof address === "string") throw new Error("The link has no port.")

  function drop(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    port: address.port,
    cut() {
      isCut = true
    },
    mend() {
      drop()
      isCut = false
    },
    [Symbol.dispose]() {
      drop()
      listener.close()
    },
  }
}
