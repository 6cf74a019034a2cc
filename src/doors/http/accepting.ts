// Promise: of many connections that wait, few are accepted before everybody else has a turn, and none is lost, neither then nor when a
// new certificate opens its own listener. Held by test/trust/connections.test.ts and test/jobs/https/https.test.ts.
import { dlopen, FFIType, ptr } from "bun:ffi"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { once } from "../../domain/memoize.ts"

// Bun cannot stop accepting connections without dropping those that are idle, and it accepts, reads, answers and closes in one loop until
// no connection waits, so that a flood of short ones would stop everything else. On Linux the descriptor of the listening socket is made to
// mean nothing, for a moment or for good: accepting fails then, and every connection goes on.

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

const { i32, pointer } = FFIType
const UNIX = 1
const STREAM = 1
const SOCKET_LEVEL = 1
const CHOOSE_LISTENER = 51

const libc = once(() => {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: [i32, i32, i32], returns: i32 },
    setsockopt: { args: [i32, i32, i32, pointer, i32], returns: i32 },
    dup: { args: [i32], returns: i32 },
    dup2: { args: [i32, i32], returns: i32 },
    close: { args: [i32], returns: i32 },
  })
  return { ...symbols, meaningless: symbols.socket(UNIX, STREAM, 0) }
})

/** Nothing is accepted on these descriptors for the rest of this turn of the event loop. New connections wait. */
export function pauseAccepting(descriptors: readonly number[]): void {
  try {
    const { meaningless, dup, dup2, close } = libc()
    for (const descriptor of descriptors) {
      const kept = dup(descriptor)
      dup2(meaningless, descriptor)
      setImmediate(() => {
        dup2(kept, descriptor)
        close(kept)
      })
    }
  } catch {
    // Another C library: a flood of connections is then stopped by nobody.
  }
}

// How long the last connections that the kernel gave the old listener take to be accepted.
const SETTLE_MS = 2_000

/**
 * Leaves new connections to a later listener of the same port: closes the earlier descriptors once nobody waits for them, and no
 * connection. The code that opened the descriptors still closes them.
 */
export async function leaveAccepting(earlier: readonly number[], later: readonly number[]): Promise<void> {
  if (earlier.length === 0 || later.length === 0) return
  try {
    const { meaningless, setsockopt, dup2 } = libc()
    const choice = alwaysSecond()
    for (const descriptor of later) setsockopt(descriptor, SOCKET_LEVEL, CHOOSE_LISTENER, ptr(choice.program), 16)
    await Bun.sleep(SETTLE_MS)
    for (const descriptor of earlier) dup2(meaningless, descriptor)
  } catch {
    // Another C library: the listener is stopped a little later, and takes its idle connections along.
  }
}

/** A filter by which the kernel gives every new connection to the second listener of a port; where there is no second, to the only one. */
function alwaysSecond() {
  const returns = new DataView(new ArrayBuffer(8))
  returns.setUint16(0, 0x06, true)
  returns.setUint32(4, 1, true)
  const program = new DataView(new ArrayBuffer(16))
  program.setUint16(0, 1, true)
  program.setBigUint64(8, BigInt(ptr(returns)), true)
  // Both are kept until the kernel has read them.
  return { returns, program }
}
