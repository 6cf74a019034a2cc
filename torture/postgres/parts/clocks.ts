import { Glob } from "bun"
import { postgresPart, startCluster } from "../cluster.ts"
import { exactOver } from "./limits.ts"

const OFFSETS = ["-7m", "+0m", "+11m"]

const library = [...new Glob("usr/lib/*/faketime/libfaketimeMT.so.1").scanSync("/")][0]

const withClocks = postgresPart(
  "clocks",
  "limits and revocations are exact though the clocks of the replicas differ by minutes",
  async () => {
    await using cluster = await startCluster({
      serving: (place) => ({
        args: ["--limit-ingest", "60"],
        env: { LD_PRELOAD: `/${library}`, FAKETIME: OFFSETS[place] ?? "+0m", DONT_FAKE_MONOTONIC: "1" },
      }),
    })
    const { problems, admitted } = await exactOver(cluster)
    return {
      done: `75 requests at once for each of 5 keys, spread over replicas whose clocks are set ${OFFSETS.join(", ")}; a key revoked`,
      figures: `${admitted.join(", ")} of 75 admitted; the revoked key 401 on every replica at once`,
      problems,
    }
  },
)

export const clocks: typeof withClocks =
  library === undefined
    ? {
        ...withClocks,
        run: async () => ({ skipped: "Moving the clock of one process needs libfaketime (Debian: faketime)." }),
      }
    : withClocks
