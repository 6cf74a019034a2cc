import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "./folder.ts"
import { answering, giveToServer, keepRunning, serverFolder } from "./postgres.ts"

/** Where PgBouncer is. Debian puts it where only root looks. Null if there is none. */
export const pgbouncerProgram: string | null = Bun.which("pgbouncer") ?? Bun.which("pgbouncer", { PATH: "/usr/sbin" })

// Fewer than the servers hold, so that their transactions share these connections.
const SERVER_CONNECTIONS = 6

/**
 * Starts PgBouncer in transaction mode before a server. Returns the URL of a database as seen through it, without prepared
 * statements, because it may be older than 1.21.
 */
export async function startPgbouncer(url: string) {
  if (pgbouncerProgram === null) throw new Error("There is no PgBouncer here.")
  const folder = serverFolder("adbooth-pgbouncer-")
  const port = freePort()
  const { hostname, port: serverPort, username } = new URL(url)
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${serverPort} user=${username}`,
    "[pgbouncer]",
    ...["pool_mode = transaction", "auth_type = any", `default_pool_size = ${SERVER_CONNECTIONS}`],
    ...["max_client_conn = 500", "unix_socket_dir =", "listen_addr = 127.0.0.1", `listen_port = ${port}`],
  ]
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(file, settings.join("\n"))
  giveToServer(file)
  const stop = keepRunning([pgbouncerProgram, file], folder)
  const urlOf = (database: string) => `postgres://${username}@127.0.0.1:${port}/${database}?sslmode=disable`
  await answering(urlOf("postgres"))
  return { urlOf: (database: string) => `${urlOf(database)}&prepare=false`, stop }
}
