// Archives that are the same bytes whenever and by whomever they are made of a commit.
import { pack } from "tar-stream"

/** When the commit was made; without a history the oldest time that Debian's tools take for one. */
export const COMMITTED_AT = new Date(
  Number(Bun.spawnSync(["git", "log", "-1", "--format=%ct"], { stderr: "ignore" }).stdout.toString() || 631_152_000) *
    1_000,
)

export interface Entry {
  readonly name: string
  readonly content: Uint8Array | string
  /** 0644 unless given. */
  readonly mode?: number
  readonly owner?: number
}

/** A folder of an archive: its name ends with a slash. */
export const folder = (name: string, how: Pick<Entry, "mode" | "owner"> = {}): Entry => ({
  name,
  content: "",
  mode: 0o755,
  ...how,
})

/** A tar archive; where a path is not named as a folder, whoever unpacks makes it. */
export async function tar(entries: readonly Entry[]): Promise<Uint8Array> {
  const archive = pack()
  const bytes = new Response(archive as unknown as ReadableStream).bytes()
  for (const { name, content, mode = 0o644, owner = 0 } of entries) {
    const header = { name, mode, uid: owner, gid: owner, mtime: COMMITTED_AT, uname: "", gname: "" }
    const type = name.endsWith("/") ? "directory" : "file"
    await new Promise<void>((resolve, reject) => {
      archive.entry({ ...header, type }, Buffer.from(content), (error) => (error ? reject(error) : resolve()))
    })
  }
  archive.finalize()
  return bytes
}

/** How hard to compress: 9 is smallest, 1 is quickest. */
export type Effort = 1 | 6 | 9

export async function tarGz(entries: readonly Entry[], level: Effort = 6): Promise<Uint8Array> {
  return Bun.gzipSync(new Uint8Array(await tar(entries)), { level })
}

/** The container format of .deb files. */
export function ar(entries: readonly { readonly name: string; readonly content: Uint8Array }[]): Uint8Array {
  const parts = entries.flatMap(({ name, content }) => {
    const fields = [name.padEnd(16), "0".padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)]
    const header = `${fields.join("")}${String(content.length).padEnd(10)}\`\n`
    return [Buffer.from(header), content, Buffer.from(content.length % 2 === 1 ? "\n" : "")]
  })
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts])
}

export const sha256 = (content: Uint8Array | string) => new Bun.CryptoHasher("sha256").update(content).digest("hex")
