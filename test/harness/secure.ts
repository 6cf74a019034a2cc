import { connect } from "node:tls"

/** The domain of a server under test. */
export const NAME = "ads.example.org"

/** The certificate that is served on a port. Null if nobody answers. */
export function servedOn(port: number): Promise<{ readonly serial: string; readonly names: string } | null> {
  const { promise, resolve } = Promise.withResolvers<{ serial: string; names: string } | null>()
  const socket = connect({ host: "127.0.0.1", port, servername: NAME, rejectUnauthorized: false })
  socket.on("error", () => resolve(null))
  socket.on("close", () => resolve(null))
  socket.on("secureConnect", () => {
    const { serialNumber, subjectaltname = "" } = socket.getPeerCertificate()
    resolve({ serial: serialNumber, names: subjectaltname })
  })
  return promise.finally(() => socket.destroy())
}

/** Asks over HTTPS. Without keepalive, on a connection of its own. */
export const get = (port: number, path: string, keepalive = true) =>
  fetch(`https://127.0.0.1:${port}${path}`, {
    keepalive,
    headers: keepalive ? { Host: NAME } : { Host: NAME, Connection: "close" },
    redirect: "manual",
    tls: { rejectUnauthorized: false },
  })

/** A connection on which a test sends a request piece by piece. */
export async function openSecure(port: number, localAddress = "127.0.0.1") {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const address = { host: "127.0.0.1", port, localAddress }
  const socket = connect({ ...address, servername: NAME, rejectUnauthorized: false }, resolve)
  let received = ""
  let isClosed = false
  socket.on("error", reject)
  socket.on("data", (bytes: Buffer) => {
    received += bytes
  })
  socket.on("close", () => {
    isClosed = true
    reject(new Error("closed before the handshake was over"))
  })
  await promise
  return {
    received: () => received,
    isClosed: () => isClosed,
    send: (text: string) => void socket.write(text),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
