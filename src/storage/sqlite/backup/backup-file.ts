import { Database, SQLiteError } from "bun:sqlite"
import { createHash } from "node:crypto"
import { createReadStream, statSync } from "node:fs"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip, createZstdCompress, createZstdDecompress } from "node:zlib"
import { sizeInWords } from "../../../domain/text/short-text.ts"
import { UserError } from "../../../domain/user-error.ts"
import { newFileStream } from "../../../files/new-file.ts"
import { CAMPAIGN_DELETED, REVOCABLE } from "../../copy/sides.ts"
import type { VerifiedBackup } from "../../port/copies.ts"
import { schemaVersion } from "../engine/migrate.ts"
import { isOurs } from "../engine/open.ts"
import { integrityProblems } from "../tables/health.ts"

/** Opens a copy of a database, checks that it is ours and undamaged, and counts its rows. Errors refer to it by `name`. */
export function verifyBackup(path: string, name: string): VerifiedBackup {
  try {
    using database = new Database(path, { readwrite: true })
    if (!isOurs(database)) throw new UserError(`${name} is not an Adbooth backup.`)
    const problems = integrityProblems(database)
    if (problems.length > 0)
      throw new UserError(`${name} is damaged or was changed: ${problems.slice(0, 3).join("; ")}.`)
    return { schemaVersion: schemaVersion(database), rows: countRows(database) }
  } catch (cause) {
    if (!(cause instanceof SQLiteError)) throw cause
    throw new UserError(`${name} is not a valid database: ${cause.message}.`, { cause })
  }
}

export function tablesOf(database: Database): string[] {
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
  return database
    .query<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => name)
}

/** By table. */
export const countRows = (database: Database): Record<string, number> =>
  Object.fromEntries(tablesOf(database).map((table) => [table, countOf(database, table)]))

export const countOf = (database: Database, table: string): number =>
  database.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()?.count ?? 0

/** What was revoked after a copy was made stays revoked in it. Both are schemas of one connection; the main one may lack a table. */
export function keepRevoked(database: Database, live: string, copy: string): void {
  const there = tablesOf(database)
  for (const [table, identity, ended] of REVOCABLE.filter(([name]) => there.includes(name))) {
    database.run(
      `UPDATE ${copy}.${table} SET ${ended} = now.${ended} FROM ${live}.${table} AS now
       WHERE ${table}.${identity} = now.${identity} AND ${table}.${ended} IS NULL AND now.${ended} IS NOT NULL`,
    )
  }
  if (!there.includes("share_link")) return
  // Those of a campaign that was deleted went with it.
  database.run(
    `UPDATE ${copy}.share_link SET revoked_at = gone.at
     FROM ${live}.audit_entry AS gone JOIN ${copy}.campaign AS c ON c.slug = gone.subject
     WHERE gone.action = '${CAMPAIGN_DELETED}' AND share_link.campaign_id = c.id
       AND share_link.created_at <= gone.at AND share_link.revoked_at IS NULL`,
  )
}

// By the first bytes, because a file may have any name. We pack with zstd; people have gzip.
const UNPACKERS: readonly (readonly [start: string, unpack: () => Transform])[] = [
  ["28b52ffd", createZstdDecompress],
  ["1f8b", createGunzip],
]

/** Compresses a file, then decompresses the result and compares. */
export async function pack(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createZstdCompress(), newFileStream(to, 0o600))
  const [original, unpacked] = [await hashOf(from), await hashOf(to, createZstdDecompress())]
  if (original !== unpacked) throw new Error("the compressed copy differs from the original when decompressed")
}

// Databases become 3 to 30 times smaller. A file that becomes a thousand times larger was made to fill the disk.
const UNPACKED_TIMES_MAX = 100
const UNPACKED_BYTES_ALWAYS = 67_108_864

/** Copies a file, decompressed if it is compressed, up to a hundred times its size. */
export async function unpack(from: string, to: string): Promise<void> {
  const start = new Uint8Array(await Bun.file(from).slice(0, 4).arrayBuffer()).toHex()
  const [, unpacker] = UNPACKERS.find(([bytes]) => start.startsWith(bytes)) ?? []
  const target = newFileStream(to, 0o600)
  if (unpacker === undefined) return pipeline(createReadStream(from), target)
  const bytesMax = Math.max(UNPACKED_BYTES_ALWAYS, UNPACKED_TIMES_MAX * statSync(from).size)
  await pipeline(createReadStream(from), unpacker(), atMost(bytesMax), target)
}

function atMost(bytesMax: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length
      if (bytes <= bytesMax) return done(null, chunk)
      const words = `it unpacks to more than ${UNPACKED_TIMES_MAX} times its size (${sizeInWords(bytesMax)}), as no backup does`
      done(new UserError(`${words}. If you know where it comes from, unpack it yourself and restore the result`))
    },
  })
}

async function hashOf(file: string, ...through: Transform[]): Promise<string> {
  const hash = createHash("sha256")
  await pipeline([createReadStream(file), ...through, hash])
  return hash.digest("hex")
}
