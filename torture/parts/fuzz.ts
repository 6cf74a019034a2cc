import { join } from "node:path"
import { jsonBody, mutateBytes, mutatePath } from "../fuzz/mutate.ts"
import { HEADERS, METHODS, ODD_VALUES } from "../fuzz/odd-values.ts"
import { type Attempt, sendRaw } from "../fuzz/send.ts"
import { type Template, templates } from "../fuzz/templates.ts"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { eachOf } from "../harness/each-of.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { type Random, seeded } from "../harness/random.ts"
import { makeOperator, signIn } from "../harness/visitor.ts"

const PASSWORD = "correct horse battery"
const AT_A_TIME = 12
// Mutated requests sign the operator out now and then.
const SIGN_IN_EVERY = 250

export const fuzz: Part = {
  name: "fuzz",
  promise:
    "mutated requests over every endpoint, header and schema, ours and the protocol engine's: no 5xx, no crash, no hang, a sound file",
  async run({ fuzzRequests, seed }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 20 })
    await makeOperator(booth.data, PASSWORD)
    await using server = await serve(booth.data)
    const fieldsOf = await formFields(server, templates(booth, await signIn(server, PASSWORD), new Map()))
    const statuses = new Map<string, number>()
    const problems: string[] = []
    for (let start = 0; start < fuzzRequests; start += SIGN_IN_EVERY) {
      const cookie = await signIn(server, PASSWORD).catch(() => "")
      const from = templates(booth, cookie, fieldsOf)
      const numbers = Array.from({ length: Math.min(SIGN_IN_EVERY, fuzzRequests - start) }, (_, i) => start + i)
      await eachOf(numbers, AT_A_TIME, async (number) => {
        const attempt = oddRequest(from, seeded(seed + number))
        const status = await sendRaw(server.url, attempt)
        const kind = status === null ? "hang" : status === 0 ? "closed" : `${Math.floor(status / 100)}xx`
        statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
        if (kind === "hang" || kind === "5xx")
          problems.push(`request ${number} (${attempt.method} ${attempt.path.slice(0, 80)}): ${status ?? "hang"}`)
      })
    }
    if ((await fetch(`${server.url}/readyz`)).status !== 200) problems.push("the server is not ready any more")
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...databaseProblems(booth.data))
    const counts = [...statuses].sort().map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`)
    return { done: `${fuzzRequests.toLocaleString("en")} requests, seed ${seed}`, figures: counts.join(", "), problems }
  },
}

/** Names of the fields of every form, by the path that takes it. */
async function formFields(server: Server, from: readonly Template[][]): Promise<Map<string, string[]>> {
  const fields = new Map<string, string[]>()
  for (const { path, headers } of from.flat().filter(({ method }) => method === "GET")) {
    const html = await (await fetch(server.url + path, { headers })).text()
    for (const [, action = "", form = ""] of html.matchAll(/<form[^>]* action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)) {
      fields.set(
        action.split("?")[0] ?? "",
        [...form.matchAll(/ name="([^"]*)"/g)].map(([, name = ""]) => name),
      )
    }
  }
  return fields
}

function oddRequest(from: readonly Template[][], random: Random): Attempt {
  const template = random.pick(random.pick(from))
  const body = bodyOf(template, random)
  return {
    method: random.below(12) === 0 ? random.pick(METHODS) : template.method,
    path: encodeURI(mutatePath(template.path, random)).replaceAll("%25", "%"),
    headers: oddHeaders(template.headers, body, random),
    body,
  }
}

function bodyOf({ json, fields, variants }: Template, random: Random): Buffer | null {
  if (variants !== undefined && random.below(4) > 0) return Buffer.from(JSON.stringify(random.pick(variants)))
  if (json !== undefined) return jsonBody(json, random)
  if (fields === undefined) return random.below(20) === 0 ? Buffer.from("unexpected") : null
  const form = new URLSearchParams()
  for (const name of fields) {
    if (random.below(6) > 0) form.append(name, formValue(random))
    if (random.below(10) === 0) form.append(name, formValue(random))
  }
  const bytes = Buffer.from(form.toString())
  return random.below(8) === 0 ? mutateBytes(bytes, random) : bytes
}

function formValue(random: Random): string {
  const odd = random.pick(ODD_VALUES)
  return random.below(3) === 0
    ? random.pick(["acme-audio", "DE", "2026-11-20", "1", "EUR", "a@example.com"])
    : String(typeof odd === "object" ? JSON.stringify(odd) : odd)
}

function oddHeaders(
  headers: Readonly<Record<string, string>>,
  body: Buffer | null,
  random: Random,
): Record<string, string> {
  const odd: Record<string, string> = { ...headers }
  for (let count = random.below(3); count > 0; count--) {
    const name = random.pick(Object.keys(HEADERS))
    odd[name] = random.pick(HEADERS[name] ?? [""])
  }
  const kind = random.below(40)
  if (kind === 0) delete odd[random.pick([...Object.keys(odd), "none"])]
  if (kind === 1) odd["Host"] = random.pick(["", "evil.example", "a b", "[::1", "127.0.0.1:99999", "x".repeat(300)])
  if (kind === 2) odd[`X-${random.below(1_000)}`] = "y".repeat(random.below(20_000))
  if (kind === 3 && body !== null)
    odd["Content-Length"] = random.pick(["-1", "x", "1e3", String(body.length + 5), "99999999999"])
  if (kind === 4 && body !== null) odd["Transfer-Encoding"] = random.pick(["chunked", "gzip", "identity"])
  return odd
}
