import type { SQL } from "bun"
import { UserError } from "../../domain/user-error.ts"
import type { Address } from "./address.ts"

const VERSION_MIN = 15
// With these, a commit that was acknowledged is on the disk of the server, and of a standby if it waits for one.
const DURABLE = ["on", "remote_apply"]

/** Refuses a server that would break promises. Returns its version. */
export async function checkServer(client: SQL, name: string, { allowsAsyncCommit }: Address): Promise<string> {
  const [server] = await client<Server[]>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version, current_setting('server_encoding') AS encoding,
      current_setting('synchronous_commit') AS commit, current_schema() AS schema`
  if (server === undefined) throw new Error("The server didn't tell its settings.")
  if (Number.parseInt(server.version, 10) < VERSION_MIN)
    throw new UserError(`${name} runs PostgreSQL ${server.version}. Adbooth needs version ${VERSION_MIN} or newer.`)
  if (server.encoding !== "UTF8")
    throw new UserError(
      `The database ${name} is encoded in ${server.encoding}. Adbooth needs UTF8: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0.`,
    )
  if (server.schema === null)
    throw new UserError(
      `The user has no schema in the database ${name}. Create one: CREATE SCHEMA adbooth AUTHORIZATION user; ALTER ROLE user SET search_path = adbooth.`,
    )
  if (!allowsAsyncCommit && !DURABLE.includes(server.commit))
    throw new UserError(
      `The database ${name} has synchronous_commit = ${server.commit}, so accepted totals could be lost. Turn it on: ALTER ROLE user SET synchronous_commit = on. To run like this anyway, add allow_async_commit=true to the database URL.`,
    )
  return server.version
}

interface Server {
  readonly version: string
  readonly encoding: string
  readonly commit: string
  readonly schema: string | null
}
