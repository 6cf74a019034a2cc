import { join } from "node:path"
import { randomNumbers } from "../../test/harness/data/random.ts"
import { oddRequest, templates } from "../fuzz/requests.ts"
import { sendRaw } from "../fuzz/send.ts"
import { furnish, newOperator, signIn } from "../harness/booth.ts"
import { grouped, type Part } from "../harness/part.ts"
import { serve } from "../harness/program.ts"
import { storedInFile } from "../harness/stored.ts"

const AT_A_TIME = 12
// Some of the requests change the password or end the session.
const SIGN_IN_EVERY = 500

export const fuzz: Part = {
  name: "fuzz",
  promise: "no mutated request gets a 5xx, stops the server or goes without an answer",
  async run({ folder, isShort, random, problem }) {
    const requests = isShort ? 3_000 : 100_000
    const data = join(folder, "data")
    const booth = await furnish(["--data", data], 5)
    await newOperator(booth.place)
    await using server = await serve(booth.place)
    let cookie = await signIn(server)
    const groups = await templates(server, booth, cookie)
    const counts = new Map<string, number>()
    const seed = random.below(1_000_000)
    let next = 0

    async function client(): Promise<void> {
      while (next < requests) {
        const number = next++
        if (number % SIGN_IN_EVERY === SIGN_IN_EVERY - 1) cookie = await signIn(server).catch(() => cookie)
        const request = oddRequest(groups, cookie, randomNumbers(seed + number))
        const status = await sendRaw(server.url, request)
        const kind = typeof status === "number" ? `${Math.floor(status / 100)}xx` : status
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
        if (kind === "5xx" || kind === "no answer")
          problem(`request ${seed + number}, ${request.method} ${request.path.slice(0, 100)}: ${status}`)
      }
    }

    await Promise.all(Array.from({ length: AT_A_TIME }, client))
    if ((await fetch(`${server.url}/readyz`)).status !== 200) problem("the server isn't ready any more")
    if ((await server.end("SIGTERM")) !== 0) problem("it didn't stop cleanly")
    for (const text of storedInFile(data).problems) problem(text)
    for (const line of server.log().split("\n"))
      if (/"level":"error"/.test(line)) problem(`logged ${line.slice(0, 400)}`)
    const sizes = groups.map(({ length }) => length).join(", ")
    return `${grouped(requests)} requests from ${sizes} templates: ${[...counts].map(([kind, n]) => `${n} ${kind}`).join(", ")}`
  },
}
