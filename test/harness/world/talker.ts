export interface Talker extends Disposable {
  readonly port: number
}

/** A server that says the next line whenever it hears something, and then hangs up. */
export function startTalker(lines: readonly string[]): Talker {
  const listener = Bun.listen<{ said: number }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { said: 1 }
        socket.write(`${lines[0]}\r\n`)
      },
      data(socket) {
        const line = lines[socket.data.said++]
        if (line === undefined) socket.end()
        else socket.write(`${line}\r\n`)
      },
    },
  })
  return { port: listener.port, [Symbol.dispose]: () => listener.stop(true) }
}
