import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { BackupService, BucketService, Services } from "../../../src/actions/context.ts"
import type { StoredCopy } from "../../../src/domain/operations/backup.ts"
import type { Letter } from "../../../src/domain/operations/mail.ts"

/** What a test sees of the world outside the database, and what it can break. */
export interface Fakes {
  readonly services: Services
  /** Every letter that was sent. */
  readonly letters: Letter[]
  /** What the mail server says instead of taking a letter. */
  mailProblem: string | null
  /** What is in the bucket, by name. */
  readonly bucket: Map<string, Uint8Array>
  bucketProblem: string | null
  /** The backups in the folder, by name. */
  readonly backups: Map<string, number>
  backupProblem: string | null
}

/** A mail server, a bucket and a folder of backups in memory. HTTPS isn't set up. */
export function fakeWorld(listeningAt: () => string, folder: string): Fakes {
  const fakes: Omit<Fakes, "services"> = {
    letters: [],
    mailProblem: null,
    bucket: new Map(),
    bucketProblem: null,
    backups: new Map(),
    backupProblem: null,
  }
  const services: Services = {
    async mail(_server, letter) {
      if (fakes.mailProblem === null) fakes.letters.push(letter)
      return fakes.mailProblem
    },
    bucket: () => bucketOf(fakes),
    backups: backupsOf(fakes, folder),
    https: { certificate: () => null, url: () => null, order: async () => null, refresh: async () => undefined },
    listeningAt,
  }
  return Object.assign(fakes, { services })
}

function bucketOf(fakes: Omit<Fakes, "services">): BucketService {
  function check(): void {
    if (fakes.bucketProblem !== null) throw new Error(fakes.bucketProblem)
  }
  return {
    test: async () => (fakes.bucketProblem === null ? null : { problem: fakes.bucketProblem, advice: "Check it." }),
    async list() {
      check()
      return [...fakes.bucket].sort().map(([name, bytes]): StoredCopy => ({ name, bytes: bytes.length }))
    },
    async copy(file, name) {
      check()
      const exists = await Bun.file(file).exists()
      const bytes = exists ? await Bun.file(file).bytes() : new Uint8Array(1)
      fakes.bucket.set(name, bytes)
      return { name, bytes: bytes.length }
    },
    async *read(name) {
      check()
      yield fakes.bucket.get(name) ?? new Uint8Array()
    },
    async remove(name) {
      check()
      fakes.bucket.delete(name)
    },
  }
}

const backupsOf = (fakes: Omit<Fakes, "services">, folder: string): BackupService => ({
  folder,
  async create(name) {
    if (fakes.backupProblem !== null) throw new Error(fakes.backupProblem)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), name.padEnd(1_000))
    fakes.backups.set(name, 1_000)
    return { name, bytes: 1_000 }
  },
  list: async () => [...fakes.backups].sort().map(([name, bytes]) => ({ name, bytes })),
  remove: async (name) => void fakes.backups.delete(name),
})
