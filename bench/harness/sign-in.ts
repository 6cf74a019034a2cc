import { SELLER } from "../workload/lines.ts"
import type { Running } from "./process.ts"
import type { Installation } from "./product.ts"

/** Makes an administrator of the seller, to be signed in with what this gives. Before the server starts, as an operator would. */
export async function makeAdministrator(installation: Installation): Promise<(server: Running) => Promise<string>> {
  const words = "user create --email bench@example.com --name Bench --role admin --json".split(" ")
  const { link } = JSON.parse(await installation.command(...words, "--org", SELLER))
  return (server) => signIn(server, new URL(link).pathname)
}

/** The same for an operator, who sees everything. */
export async function makeOperator(installation: Installation): Promise<(server: Running) => Promise<string>> {
  const words = "user create --email operator@example.com --name Operator --operator --json".split(" ")
  const { link } = JSON.parse(await installation.command(...words))
  return (server) => signIn(server, new URL(link).pathname)
}

/** Chooses a password with the one-time link, which signs in at once, and gives the cookie. */
async function signIn(server: Running, path: string): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { origin: server.url },
    body: new URLSearchParams({ password: "a password for the bench" }),
    redirect: "manual",
  })
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")
}
