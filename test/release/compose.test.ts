import { expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../free-port.ts"
import { inCleanRoot, noCleanRoot } from "./clean-root.ts"

const DEBIAN = "/usr/lib/postgresql"
const programs = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
  .map((version) => join(DEBIAN, version, "bin"))
  .findLast((bin) => existsSync(join(bin, "pg_rewind")))
const missing = programs === undefined ? "it needs Debian's package postgresql" : await noCleanRoot()
if (missing !== null) console.error(`SKIPPED: the scripts of deploy/postgres are not tried: ${missing}.`)

const textOf = (path: string) => Bun.file(path).text()

test.if(missing === null)(
  "deploy/postgres: after a failover the old primary refuses to start, rejoins as the standby, and commits wait for it",
  async () => {
    const script = `export BIN=${programs} PGPORT=${freePort()}\n${await textOf("test/release/compose.sh")}`
    const names = ["primary.sh", "standby.sh", "start.sh"]
    const scripts = await Promise.all(names.map(async (name) => [name, await textOf(join("deploy/postgres", name))]))
    const { out, err } = await inCleanRoot(script, Object.fromEntries(scripts))
    expect([out.trim().split("\n"), err]).toEqual([
      [
        "ANY 1 (standby)",
        "standby is the primary now. Make this one its standby: docker compose run --rm primary rejoin",
        "refused",
        "primary|quorum",
        "before, after the failover, with both",
      ],
      expect.any(String),
    ])
  },
  600_000,
)
