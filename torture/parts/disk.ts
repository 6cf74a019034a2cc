import { join } from "node:path"
import { type Booth, furnish } from "../harness/booth.ts"
import { Ledger, outcomesOf } from "../harness/ledger.ts"
import { acceptedAgain, startLoad, startProbe } from "../harness/load.ts"
import { type Part, rounded, type Trial } from "../harness/part.ts"
import { serve } from "../harness/program.ts"
import { storedInFile } from "../harness/stored.ts"
import { trace, traced } from "../harness/strace.ts"

const SYNC_MICROS = 20_000
const REPORTERS = 64
const REPORTS_PER_SECOND_MIN = 1_000
const PROBE_MS_MAX = 60

export const disk: Part = {
  name: "disk",
  promise:
    "on a full disk items are internal_error and the server goes on afterwards; after a failed sync it ends with 1 and nothing " +
    "accepted is lost; on a slow disk reports share syncs",
  needs: "strace",
  async run(trial) {
    const data = join(trial.folder, "data")
    const booth = await furnish(["--data", data], 100)
    const figures = [await full(booth, data, trial), await failing(booth, data, trial), await slow(booth, data, trial)]
    return figures.join("; ")
  },
}

function check(ledger: Ledger, data: string, { problem }: Trial, when: string): void {
  const { reports, problems } = storedInFile(data)
  for (const text of [...ledger.problems(reports), ...problems]) problem(`${when}: ${text}`)
}

async function full(booth: Booth, data: string, trial: Trial): Promise<string> {
  const ledger = new Ledger(booth)
  await using server = await serve(booth.place)
  await ledger.send(server.url, 20)
  {
    await using _ = await trace(server.pid, [
      "-o",
      "/dev/null",
      "-P",
      `${data}/adbooth.db-wal`,
      "-e",
      "inject=pwrite64:error=ENOSPC",
    ])
    for (let request = 0; request < 10; request++) {
      if ((await ledger.send(server.url, 20)) > 0) trial.problem("items were accepted on a full disk")
    }
    const { status } = await fetch(`${server.url}/healthz`)
    if (status !== 200) trial.problem(`/healthz answered ${status} on a full disk`)
  }
  const again = await acceptedAgain(ledger, server.url)
  if (again === null) trial.problem("nothing was accepted when there was room again")
  const code = await server.end("SIGTERM")
  if (code !== 0) trial.problem(`after a full disk it ended with ${code}: ${server.log().slice(-300)}`)
  check(ledger, data, trial, "full")
  return `full: ${outcomesOf(ledger)}, again after ${rounded(again ?? 0)}`
}

async function failing(booth: Booth, data: string, trial: Trial): Promise<string> {
  const rounds = trial.isShort ? 3 : 20
  const ledger = new Ledger(booth, 1_000_000)
  for (let round = 0; round < rounds; round++) {
    const server = await serve(booth.place)
    const load = startLoad(ledger, { clients: 8, itemsMax: 20, seed: round, url: () => server.url })
    await Bun.sleep(trial.random.below(300))
    await using _ = await trace(server.pid, [
      "-o",
      "/dev/null",
      "-P",
      `${data}/adbooth.db-wal`,
      "-e",
      "inject=fsync,fdatasync:error=EIO",
    ])
    const code = await Promise.race([server.exited, Bun.sleep(30_000)])
    if (code !== 1) trial.problem(`after a failed sync it ended with ${code}`)
    if (!server.log().includes("the disk failed")) trial.problem("the log doesn't say that the disk failed")
    await server.end("SIGKILL")
    await load.stop()
    // The next start stores the log again, as after a crash.
    await (await serve(booth.place)).end("SIGTERM")
    check(ledger, data, trial, "failing")
  }
  return `failing ${rounds} times: ${outcomesOf(ledger)}`
}

async function slow(booth: Booth, data: string, trial: Trial): Promise<string> {
  const ledger = new Ledger(booth, 2_000_000)
  const slower = `inject=fsync,fdatasync:delay_exit=${SYNC_MICROS}`
  const wrapper = traced("-o", "/dev/null", "-P", `${data}/adbooth.db-wal`, "-e", "trace=fsync,fdatasync", "-e", slower)
  await using server = await serve(booth.place, { wrapper })
  const lastsMs = trial.isShort ? 3_000 : 10_000
  const probe = startProbe(`${server.url}/healthz`)
  const load = startLoad(ledger, { clients: REPORTERS, itemsMax: 1, seed: 1, url: () => server.url })
  await Bun.sleep(lastsMs)
  await load.stop()
  const { slowestMs } = await probe.stop()
  const perSecond = Math.round((ledger.accepted * 1_000) / lastsMs)
  if (perSecond < REPORTS_PER_SECOND_MIN) trial.late(`only ${perSecond} reports a second`)
  if (slowestMs > PROBE_MS_MAX) trial.late(`/healthz took ${rounded(slowestMs)}`)
  if ((await server.end("SIGTERM")) !== 0) trial.problem("it didn't stop cleanly on a slow disk")
  check(ledger, data, trial, "slow")
  return `slow (20 ms a sync): ${perSecond} reports/s, slowest /healthz ${rounded(slowestMs)}`
}
