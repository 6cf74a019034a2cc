import { createKey, must, type Server } from "../../harness/booth.ts"
import { pageAfter } from "../../harness/visitor.ts"
import type { DiskControl } from "../disk-control.ts"

// Each is tried again after a cut, and too many wrong keys of one address are not looked at.
const REVOKED_MAX = 40

interface PromisedKey {
  readonly key: string
  readonly createdAt: number
  revokeSentAt: number
  revokedAt: number
}

/** Keys that were created and revoked, through the command line or the app, and when that was answered. */
export class PromisedKeys {
  readonly #disk: DiskControl
  readonly #keys: PromisedKey[] = []
  #revoked = 0

  constructor(disk: DiskControl) {
    this.#disk = disk
  }

  get count(): number {
    return this.#keys.length
  }

  #note(key: string): PromisedKey {
    const never = Number.POSITIVE_INFINITY
    const noted = { key, createdAt: this.#disk.position(), revokeSentAt: never, revokedAt: never }
    this.#keys.push(noted)
    return noted
  }

  /** Creates a key in a process of its own and revokes it again, if asked. */
  async throughCommands(data: string, isRevoked: boolean): Promise<void> {
    const { env } = this.#disk
    const { id, key } = await createKey(data, { env })
    const noted = this.#note(key)
    if (!isRevoked || this.#revoked >= REVOKED_MAX) return
    this.#revoked += 1
    noted.revokeSentAt = this.#disk.position()
    await must(["key", "revoke", id, "--yes", "--data", data], { env })
    noted.revokedAt = this.#disk.position()
  }

  /** The same on the pages of a running server. */
  async throughPages({ url }: Pick<Server, "url">, cookie: string, isRevoked: boolean): Promise<void> {
    const path = "/app/o/acme-audio/keys"
    const base = url + path
    const headers = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" }
    const post = (path: string, fields: Record<string, string>) =>
      fetch(path, { method: "POST", headers, body: new URLSearchParams(fields), redirect: "manual" })
    const label = `Page ${this.#keys.length}`
    const page = await pageAfter({ url }, cookie, path, { label })
    const key = /abi_[0-9A-Za-z]{38}/.exec(page)?.[0]
    if (key === undefined) throw new Error("the page shows no new key")
    const noted = this.#note(key)
    if (!isRevoked || this.#revoked >= REVOKED_MAX) return
    this.#revoked += 1
    const list = await (await fetch(base, { headers })).text()
    const revoke = new RegExp(`href="([^"]+/revoke)" aria-label="Revoke: ${label}"`).exec(list)?.[1]
    if (revoke === undefined) throw new Error("the new key is not listed")
    noted.revokeSentAt = this.#disk.position()
    const { status } = await post(url + revoke, {})
    if (status === 303) noted.revokedAt = this.#disk.position()
  }

  /** Asks a server that was started after a cut at the position. */
  async problems({ url }: Pick<Server, "url">, position: number): Promise<string[]> {
    const asked = this.#keys.map(async ({ key, createdAt, revokeSentAt, revokedAt }) => {
      if (createdAt > position) return []
      const { status } = await fetch(`${url}/api/ingest/delivery/metrics?dry_run=true`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: '{"items":[]}',
      })
      if (revokedAt <= position && status !== 401) return ["a revoked key is admitted again"]
      return revokeSentAt > position && status === 401 ? ["a created key is gone"] : []
    })
    return (await Promise.all(asked)).flat()
  }
}
