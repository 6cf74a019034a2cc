import { AT_A_DESK } from "./hand.ts"
import { thirtyTasks } from "./run-tasks.ts"

thirtyTasks(AT_A_DESK)
