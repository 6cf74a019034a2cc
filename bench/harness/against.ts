import { join } from "node:path"
import { type HotPath, hotPaths, startProduct } from "../scenarios/hot-paths.ts"
import type { Options } from "./options.ts"
import { BUN, PRODUCT, ROOT, temporaryFolder } from "./places.ts"
import { runProgram } from "./process.ts"
import { buildProduct } from "./product.ts"
import { figure, figureTable, table } from "./report.ts"
import { interleave } from "./rounds.ts"
import type { Figure } from "./scenario.ts"

const HERE = "here"

/** Builds another commit and lets it take turns with what is built here, on everything that programs ask for all day. */
export async function compareWith(commit: string, options: Options): Promise<string> {
  await using stack = new AsyncDisposableStack()
  const executable = await buildCommit(commit, stack)
  const compared: [HotPath, readonly Figure[]][] = []
  for (const path of hotPaths.filter(({ name }) => name.includes(options.only ?? ""))) {
    console.error(`${path.title}...`)
    await using contenders = new AsyncDisposableStack()
    const here = await startProduct(path, HERE, contenders)
    const there = await startProduct(path, commit, contenders, { executable })
    compared.push([path, await interleave([here.contender, there.contender], options)])
  }
  const rows = compared.map(([{ title }, [here, there]]) => [title, ...cells(here, there)])
  const header = ["processor time of a request", HERE, commit, `${HERE} / ${commit}`]
  return [
    ...table(header, rows),
    "",
    ...compared.flatMap(([path, figures]) => figureTable(path.title, { unit: path.unit, figures })),
  ].join("\n")
}

function cells(here: Figure | undefined, there: Figure | undefined): string[] {
  const [one = 0, other = 0] = [here?.micros?.median, there?.micros?.median]
  return [`${figure(one)} µs`, `${figure(other)} µs`, (one / other).toFixed(2)]
}

/** In a worktree of its own, with the packages of that commit; gone with the stack. */
export async function buildCommit(commit: string, stack: AsyncDisposableStack): Promise<string> {
  const folder = stack.use(temporaryFolder())
  const tree = join(folder.path, "tree")
  const git = (...words: string[]) => runProgram(["git", ...words], { cwd: ROOT })
  await git("worktree", "add", "--detach", tree, commit)
  stack.defer(() => git("worktree", "remove", "--force", tree).then(() => undefined))
  await runProgram([BUN, "install", "--frozen-lockfile"], { cwd: tree })
  await buildProduct(tree)
  return PRODUCT.replace(ROOT, tree)
}
