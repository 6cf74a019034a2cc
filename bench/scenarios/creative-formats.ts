import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { temporaryFolder } from "../harness/places.ts"
import { type Installation, newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { listCreativeFormats } from "../workload/agent-calls.ts"
import { FORMATS } from "../workload/formats.ts"
import { hideFormats } from "../workload/seed.ts"
import { ADCP_SDK, agentPeers, BARE, mustList } from "./agent-peers.ts"

const PRODUCT = "Adbooth"

export const creativeFormats: Scenario = {
  name: "creative-formats",
  title: "list_creative_formats, 40 formats",
  run,
}

async function run(options: Options): Promise<Outcome> {
  using folder = temporaryFolder()
  using installation = newInstallation()
  await keepFormats(installation, FORMATS)
  const server = await installation.serve()
  const load: Load = { requests: () => [listCreativeFormats()], connections: 16, worth: 1 }
  const answer = mustList(await askOnce(server, listCreativeFormats()), "formats", FORMATS)

  await using product = serverContender(PRODUCT, server, load)
  await using peers = new AsyncDisposableStack()
  const others = (await agentPeers(folder, answer, load)).map((peer) => peers.use(peer))
  const figures = await interleave([product, ...others], options)
  return {
    unit: "requests/s",
    figures,
    goals: [atLeast(0.6, figures, PRODUCT, BARE), atLeast(10, figures, PRODUCT, ADCP_SDK)],
  }
}

/** The built-in catalogue, cut to this many formats. */
async function keepFormats(installation: Installation, count: number): Promise<void> {
  await using server = await installation.serve()
  const { formats } = ((await askOnce(server, listCreativeFormats())) as FormatsAnswer).result.structuredContent
  hideFormats(
    installation.data,
    formats.slice(count).map(({ format_id }) => format_id.id),
  )
}

interface FormatsAnswer {
  readonly result: {
    readonly structuredContent: { readonly formats: readonly { readonly format_id: { readonly id: string } }[] }
  }
}
