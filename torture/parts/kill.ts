import { join } from "node:path"
import { type Booth, furnish } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { startLoad } from "../harness/load.ts"
import { grouped, type Part, type Random } from "../harness/part.ts"
import { serve } from "../harness/program.ts"
import { storedInFile } from "../harness/stored.ts"

const CLIENTS = 8
const ITEMS_MAX = 60
const LIFE_MS_MAX = 250

export const kill: Part = {
  name: "kill",
  promise: "what was accepted survives SIGKILL, requests are stored whole or not at all, and the file is sound",
  async run({ folder, isShort, random, problem }) {
    const rounds = isShort ? 20 : 200
    const data = join(folder, "data")
    const booth = await furnish(["--data", data], 100)
    const ledger = new Ledger(booth)
    for (let round = 0; round < rounds; round++) {
      await liveAndDie(booth, ledger, random)
      const { reports, problems } = storedInFile(data)
      for (const text of [...ledger.problems(reports), ...problems]) problem(`round ${round}: ${text}`)
    }
    return `killed ${rounds} times under load of ${CLIENTS} clients, ${grouped(ledger.accepted)} items accepted`
  },
}

/** A server that is loaded from its first moment and killed at some moment. */
async function liveAndDie({ place }: Booth, ledger: Ledger, random: Random): Promise<void> {
  const server = await serve(place)
  const load = startLoad(ledger, {
    clients: CLIENTS,
    itemsMax: ITEMS_MAX,
    seed: random.below(1_000_000),
    url: () => server.url,
  })
  await Bun.sleep(random.below(LIFE_MS_MAX))
  await server.end("SIGKILL")
  await load.stop()
}
