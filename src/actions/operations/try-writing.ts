import { all, eq, exec, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"

const ATTEMPTS = "writes_tried"

/** Makes a small write, to see whether writing works. Throws when that fails. */
export function tryWriting(context: Pick<Context, "store">): Promise<void> {
  return transact(context, countAttempt)
}

export function* countAttempt({ db, setting }: Tx): Step<void> {
  const [before] = yield* all(db.select().from(setting).where(eq(setting.name, ATTEMPTS)))
  const set = { value: String(BigInt(before?.value ?? "0") + 1n) }
  const inserting = db.insert(setting).values({ name: ATTEMPTS, ...set })
  yield* exec(inserting.onConflictDoUpdate({ target: setting.name, set }))
}

// One for all who ask meanwhile: anybody may ask, as often as they like.
const attempts = new WeakMap<object, Promise<void>>()

/** Throws when the database cannot be read, or when it is in doubt whether it takes writes and an attempt fails. */
export async function pingDatabase(context: Pick<Context, "store">): Promise<void> {
  const { store } = context
  await store.health.ping()
  // While writes fail callers stay away, so that only a write of our own can tell when they work again.
  if (!store.health.isInDoubt()) return
  const attempt = attempts.get(store) ?? tryWriting(context).finally(() => attempts.delete(store))
  attempts.set(store, attempt)
  await attempt
}
