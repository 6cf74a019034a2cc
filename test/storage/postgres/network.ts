import type { Socket, TCPSocketListener } from "bun"

/**
 * What becomes of bytes on their way to the server: "cut", "hang" and "vanish" are for good, "cut after" lets these through first. After
 * "vanish" neither side learns that the other one has ended the connection, as when a cable is pulled. "unsupported" is what PgBouncer
 * says to a connection that brings a setting along which it does not know.
 */
export type Fate = "pass" | "hang" | "vanish" | "cut" | "cut after" | "unsupported"

const FIELDS = "SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0"
const UNSUPPORTED = `E\0\0\0${String.fromCharCode(FIELDS.length + 4)}${FIELDS}`

export interface Network extends Disposable {
  readonly port: number
  /** Asked for everything that a client sends; the text is as it is on the wire. */
  fate: (sent: string) => Fate
  /** How often a client has said something and waited for its answer. What is sent without waiting in between is one round trip. */
  trips(): number
  /** Ends every connection and takes no new ones. */
  stop(): void
}

interface Side {
  isAsking: boolean
  other: Socket<Side> | null
  waiting: Uint8Array[]
  hangs: boolean
  vanished: boolean
}

/** A stretch of network between us and a server, for tests: it passes everything on until it is told otherwise. */
export function networkTo(hostname: string, port: number): Network {
  const clients = new Set<Socket<Side>>()
  let trips = 0

  const toServer = {
    open(server: Socket<Side>) {
      const client = server.data.other
      if (client === null) return
      client.data.other = server
      for (const bytes of client.data.waiting.splice(0)) server.write(bytes)
    },
    data(server: Socket<Side>, bytes: Uint8Array) {
      if (server.data.other !== null) server.data.other.data.isAsking = false
      if (server.data.other?.data.hangs === false) server.data.other.write(bytes)
    },
    close: (server: Socket<Side>) => void (server.data.other?.data.vanished || server.data.other?.end()),
    error: () => undefined,
    connectError: (server: Socket<Side>) => void server.data.other?.terminate(),
  }

  const network: Network & { listener: TCPSocketListener<Side> } = {
    fate: () => "pass",
    trips: () => trips,
    listener: Bun.listen<Side>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open(client) {
          clients.add(client)
          client.data = { isAsking: false, other: null, waiting: [], hangs: false, vanished: false }
          const side: Side = { isAsking: false, other: client, waiting: [], hangs: false, vanished: false }
          Bun.connect<Side>({ hostname, port, data: side, socket: toServer }).catch(() => client.terminate())
        },
        data(client, bytes) {
          const { data } = client
          if (!data.isAsking) trips += 1
          data.isAsking = true
          const fate = network.fate(new TextDecoder("latin1").decode(bytes))
          if (fate === "hang" || fate === "vanish") data.hangs = true
          if (fate === "vanish") data.vanished = true
          if (fate === "cut") return void client.terminate()
          if (fate === "unsupported") return void client.end(UNSUPPORTED)
          if (data.hangs) return
          const copy = new Uint8Array(bytes)
          if (data.other === null) data.waiting.push(copy)
          else data.other.write(copy)
          if (fate === "cut after") client.terminate()
        },
        close(client) {
          clients.delete(client)
          if (!client.data.vanished) client.data.other?.end()
        },
        error: () => undefined,
      },
    }),
    get port() {
      return this.listener.port
    },
    stop() {
      this.listener.stop(true)
      for (const client of clients) client.terminate()
    },
    [Symbol.dispose]() {
      this.stop()
    },
  }
  return network
}
