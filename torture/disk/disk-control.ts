import { closeSync, ftruncateSync, openSync } from "node:fs"
import { constants } from "node:os"

/** Where the records begin: after the page that control.h describes. */
export const JOURNAL_START = 4_096

// Offsets of `struct control`.
const TAIL = 0
const CAPACITY = 8
const OVERFLOWN = 20
const SYNC_NS = 24
const SYNC_SPREAD_NS = 32
const FAILING_SYNCS = 40
const SYNC_ERROR = 44
const LYING = 48
const READ_ERROR = 52
const WRITE_ERROR = 56
const SYNCS = 64
const FAILED_SYNCS = 72
const FAILED_READS = 80
const FAILED_WRITES = 88

export type DiskError = "EIO" | "ENOSPC"

/** The disk of the processes that were started with its environment: what it does to them, and what it saw. */
export interface DiskControl {
  /** To be given to a program, so that it uses this disk for everything below the root. */
  readonly env: Readonly<Record<string, string>>
  /** The recorded journal, with the control page before it. */
  readonly bytes: Uint8Array
  /** The end of the journal at this moment: what is answered now rests on nothing that comes later. */
  position(): number
  isFull(): boolean
  /** Each sync takes so long, and up to `spread` longer. */
  slowDown(ms: number, spread?: number): void
  /** The next syncs fail. What they should have made durable stays in doubt for ever. */
  failSyncs(count: number, error: DiskError): void
  failReads(error: DiskError | null): void
  failWrites(error: DiskError | null): void
  /** Syncs claim to be done and are not. */
  lie(): void
  seen(): {
    readonly syncs: number
    readonly failedSyncs: number
    readonly failedReads: number
    readonly failedWrites: number
  }
}

export interface DiskOptions {
  readonly shim: string
  readonly root: string
  /** How much can be recorded; nothing unless given. */
  readonly journalBytes?: number
}

/** A disk with its control file. */
export function makeDisk(file: string, { shim, root, journalBytes = 0 }: DiskOptions): DiskControl {
  const descriptor = openSync(file, "wx+", 0o600)
  ftruncateSync(descriptor, JOURNAL_START + journalBytes)
  closeSync(descriptor)
  const bytes = Bun.mmap(file, { shared: true })
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const set = (at: number, value: number) => view.setUint32(at, value, true)
  const set64 = (at: number, value: number) => view.setBigUint64(at, BigInt(Math.round(value)), true)
  const get64 = (at: number) => Number(view.getBigUint64(at, true))
  const codeOf = (error: DiskError | null) => (error === null ? 0 : constants.errno[error])
  set64(TAIL, JOURNAL_START)
  set64(CAPACITY, bytes.byteLength)
  return {
    env: { LD_PRELOAD: shim, ADBOOTH_DISK_CONTROL: file, ADBOOTH_DISK_ROOT: root },
    bytes,
    position: () => get64(TAIL),
    isFull: () => view.getUint32(OVERFLOWN, true) !== 0,
    slowDown(ms, spread = 0) {
      set64(SYNC_NS, ms * 1e6)
      set64(SYNC_SPREAD_NS, spread * 1e6)
    },
    failSyncs(count, error) {
      set(SYNC_ERROR, codeOf(error))
      set(FAILING_SYNCS, count)
    },
    failReads: (error) => set(READ_ERROR, codeOf(error)),
    failWrites: (error) => set(WRITE_ERROR, codeOf(error)),
    lie: () => set(LYING, 1),
    seen: () => ({
      syncs: get64(SYNCS),
      failedSyncs: get64(FAILED_SYNCS),
      failedReads: get64(FAILED_READS),
      failedWrites: get64(FAILED_WRITES),
    }),
  }
}
