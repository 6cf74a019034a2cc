import { ON_A_PHONE } from "./hand.ts"
import { fortyTasks } from "./run-tasks.ts"

fortyTasks(ON_A_PHONE)
