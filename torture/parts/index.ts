import type { Part } from "../harness/part.ts"
import { chunks } from "./chunks.ts"
import { clock } from "./clock.ts"
import { clockBack } from "./clock-back.ts"
import { connections } from "./connections.ts"
import { disk } from "./disk.ts"
import { diskFull } from "./disk-full.ts"
import { drill } from "./drill.ts"
import { failingDisk } from "./failing-disk.ts"
import { flood } from "./flood.ts"
import { fuzz } from "./fuzz.ts"
import { handOver } from "./hand-over.ts"
import { handles } from "./handles.ts"
import { kill } from "./kill.ts"
import { locked } from "./locked.ts"
import { malformed } from "./malformed.ts"
import { oneServer } from "./one-server.ts"
import { pipeline } from "./pipeline.ts"
import { powerCut } from "./power-cut.ts"
import { readOnly } from "./read-only.ts"
import { secrets } from "./secrets.ts"
import { signIns } from "./sign-ins.ts"
import { slowDisk } from "./slow-disk.ts"
import { soak } from "./soak.ts"
import { unfinished } from "./unfinished.ts"
import { unread } from "./unread.ts"
import { upgrade } from "./upgrade.ts"
import { waits } from "./waits.ts"
import { workbooks } from "./workbooks.ts"
import { wrongKeys } from "./wrong-keys.ts"

/** In the order in which they run: the long ones come last. */
export const PARTS: readonly Part[] = [
  upgrade,
  diskFull,
  readOnly,
  clock,
  clockBack,
  secrets,
  drill,
  handles,
  malformed,
  unfinished,
  unread,
  pipeline,
  connections,
  chunks,
  workbooks,
  wrongKeys,
  signIns,
  locked,
  waits,
  kill,
  handOver,
  oneServer,
  slowDisk,
  failingDisk,
  powerCut,
  fuzz,
  disk,
  flood,
  soak,
]
