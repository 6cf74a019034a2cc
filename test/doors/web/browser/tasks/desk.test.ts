import { AT_A_DESK } from "./hand.ts"
import { fortyTasks } from "./run-tasks.ts"

fortyTasks(AT_A_DESK)
