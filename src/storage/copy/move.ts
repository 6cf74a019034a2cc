import { type Copied, type CopyOptions, copyAhead, copyTables, refuseUnstorable } from "./copy-tables.ts"
import type { CopySource, CopyTarget, TableShape, WriteSide } from "./sides.ts"

export interface MoveOptions extends CopyOptions {
  /** Called before the last step, again and again while the source is still in use. Throws or returns when to look again. */
  readonly waitForLastStep: (whoUsesIt: string) => Promise<void>
  /** Called when the last step begins: from here on nobody can write to the source. */
  readonly lastStep: () => void
}

/**
 * Copies everything to an empty place and proves that it is equal. While the source is in use, what grows without bound is copied ahead.
 * The last step needs the source to stand still, so that nothing written meanwhile is left behind: it waits until nobody has it open,
 * copies the rest and what has changed, and checks all of it. Until its end the target stays empty.
 */
export async function move(
  source: CopySource,
  target: CopyTarget,
  tables: readonly TableShape[],
  { progress, waitForLastStep, lastStep }: MoveOptions,
): Promise<Copied> {
  await using opened = new AsyncDisposableStack()
  // The source first: a wrong one must leave no trace in the target.
  let still = await source.standStill()
  if (typeof still !== "string") opened.use(still)
  const inProgress = opened.use(await target.begin())
  const { side } = inProgress
  const ahead = typeof still === "string" ? await copyInUse(source, side, tables, { progress }) : undefined
  while (typeof still === "string") {
    await waitForLastStep(still)
    still = await source.standStill()
    if (typeof still !== "string") opened.use(still)
  }
  lastStep()
  await refuseUnstorable(still, side, tables)
  const copied = await copyTables(still, side, tables, { progress, ahead })
  await inProgress.keep()
  return copied
}

async function copyInUse(source: CopySource, side: WriteSide, tables: readonly TableShape[], options: CopyOptions) {
  await using snapshot = await source.snapshot()
  await refuseUnstorable(snapshot, side, tables)
  return await copyAhead(snapshot, side, tables, options)
}
