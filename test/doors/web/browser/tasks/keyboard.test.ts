import { BY_KEYBOARD } from "./hand.ts"
import { thirtyTasks } from "./run-tasks.ts"

thirtyTasks(BY_KEYBOARD)
