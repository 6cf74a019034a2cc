import { testWith } from "../harness/machine.ts"
import { doTasks } from "./tasks.ts"

testWith("chromium")("each task takes as few clicks and pages as written", () => doTasks(1366, 0))
