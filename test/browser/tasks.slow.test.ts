import { testWith } from "../harness/machine.ts"
import { doTasks } from "./tasks.ts"

// On a phone, opening the menu is one click more. The pages are the same as at a desk.
testWith("chromium")("each task takes as few clicks and pages on a phone", () => doTasks(390, 1), 300_000)
