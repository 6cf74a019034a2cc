import { dlopen, FFIType } from "bun:ffi"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

// Bun stops listening and drops idle connections in one step, so that a caller in the middle of a handshake would be cut off. On Linux
// only the listening socket is closed: its descriptor is made to mean nothing, and every connection goes on.

const LISTENING = "0A"

/** The descriptors of this process that listen on the port. None where that cannot be seen. */
export function listeningOn(port: number): number[] {
  try {
    const sockets = new Set(["tcp", "tcp6"].flatMap((name) => socketsOn(port, `/proc/self/net/${name}`)))
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => sockets.has(socketOf(descriptor)))
  } catch {
    return []
  }
}

function socketsOn(port: number, table: string): string[] {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  return readFileSync(table, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(local) && state === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`)
}

function socketOf(descriptor: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // The one that was open while the folder was read.
    return ""
  }
}

const { i32 } = FFIType
const UNIX = 1
const STREAM = 1

/** Closes these listening sockets, and no connection. Whoever opened them still closes the descriptors. */
export async function stopAccepting(descriptors: readonly number[]): Promise<void> {
  if (descriptors.length === 0) return
  try {
    const libc = dlopen("libc.so.6", {
      socket: { args: [i32, i32, i32], returns: i32 },
      dup2: { args: [i32, i32], returns: i32 },
      close: { args: [i32], returns: i32 },
    })
    const { socket, dup2, close } = libc.symbols
    const unused = socket(UNIX, STREAM, 0)
    // Compiled now, so that nothing takes long at the moment that counts.
    dup2(unused, unused)
    // Whoever came while this turn of the loop was busy is accepted first: only those who still wait would be turned away.
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
    for (const descriptor of descriptors) dup2(unused, descriptor)
    close(unused)
    libc.close()
  } catch {
    // Another C library: the listener is stopped a little later, and takes its idle connections along.
  }
}

const TURNS = 3
