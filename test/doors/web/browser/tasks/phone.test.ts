import { ON_A_PHONE } from "./hand.ts"
import { thirtyTasks } from "./run-tasks.ts"

thirtyTasks(ON_A_PHONE)
