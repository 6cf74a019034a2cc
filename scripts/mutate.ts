// npm run mutate [-- --files GLOB --sample N --seed S --minutes M]: changes one operator, number, guard, condition of a query or write of
// a step of a rule at a time, in a copy of the project, runs the tests that reach it, nearest first, and lists the changes that no test noticed.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { parse } from "@babel/parser"
import { Glob } from "bun"
import { noPostgres, sharedServer } from "../test/storage/postgres/server.ts"

const RULES = "src/{domain,actions,storage/steps}/**/*.ts"
// Data and shapes: a change there is a change of what is said, not of a rule.
const NOT_RULES = /\/built-in\/|\/vocabulary\.ts$|-input\.ts$|\/limits\.ts$|\/canonical-|-requirements\.ts$/
const COPIED = [
  "src",
  "test",
  "docs",
  "scripts",
  "migrations",
  "deploy",
  "torture",
  "types",
  "bench",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
]
const TESTS_MAX = 6
const MUTANT_MS_MAX = 120_000

const { values: options } = parseArgs({
  options: {
    files: { type: "string", multiple: true, default: [RULES] },
    sample: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "60" },
  },
})

interface Mutant {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly change: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc: { readonly start: { readonly line: number } }
  readonly [field: string]: unknown
}

const OPPOSITE: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
}

// Conditions of queries, and the names under which Drizzle has them.
const OPPOSITE_CALL: Readonly<Record<string, string>> = {
  and: "or",
  or: "and",
  eq: "ne",
  ne: "eq",
  gt: "gte",
  gte: "gt",
  lt: "lte",
  lte: "lt",
  isNull: "isNotNull",
  isNotNull: "isNull",
  asc: "desc",
  desc: "asc",
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value

/** A schema, a type or an import says what a thing looks like, and is no rule. */
function isShape(node: Node): boolean {
  if (/^TS(?!As|NonNull|Satisfies)|^Import|Decorator/.test(node.type)) return true
  const callee = node["callee"]
  return (
    node.type === "CallExpression" && isNode(callee) && isNode(callee["object"]) && callee["object"]["name"] === "Type"
  )
}

function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = []
  const add = (node: Node, start: number, end: number, text: string) => {
    const change = `${source.slice(start, end).split("\n")[0]} -> ${text.split("\n")[0]}`
    found.push({ file, line: node.loc.start.line, start, end, text, change })
  }
  const textOf = ({ start, end }: Node) => source.slice(start, end)

  function visit(node: Node): void {
    if (isShape(node)) return
    const { left, right, test, argument, operator } = node as Node & Record<string, Node> & { operator: string }
    switch (node.type) {
      case "BinaryExpression":
      case "LogicalExpression": {
        if (left === undefined || right === undefined) break
        const at = source.indexOf(operator, left.end)
        const other = OPPOSITE[operator]
        const joinsTexts = operator === "+" && /^["'`]/.test(textOf(right) + textOf(left))
        if (operator === "??") add(node, node.start, node.end, textOf(right))
        else if (other !== undefined && !joinsTexts) add(node, at, at + operator.length, other)
        break
      }
      case "UnaryExpression":
        if (operator === "!" && argument !== undefined) add(node, node.start, node.end, textOf(argument))
        break
      case "NumericLiteral":
        add(node, node.start, node.end, String(Number(node["value"]) + 1))
        break
      case "ConditionalExpression":
        if (test !== undefined) add(test, test.start, test.end, `!(${textOf(test)})`)
        break
      case "CallExpression": {
        const callee = node["callee"]
        const other = isNode(callee) ? OPPOSITE_CALL[String(callee["name"])] : undefined
        if (isNode(callee) && other !== undefined && /\bfrom "[^"]*\/step\.ts"/.test(source))
          add(callee, callee.start, callee.end, `require("drizzle-orm").${other}`)
        break
      }
      case "ExpressionStatement": {
        const made = node["expression"]
        if (isNode(made) && made.type === "YieldExpression") add(node, node.start, node.end, "{}")
        break
      }
      case "IfStatement": {
        const then = node["consequent"]
        const leaves = isNode(then) && /^(?:Return|Throw|Continue|Break)Statement$/.test(then.type)
        if (leaves && test !== undefined) add(test, test.start, test.end, "false")
      }
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const each of value) isNode(each) && visit(each)
      else if (isNode(value)) visit(value)
    }
  }
  visit(parse(source, { sourceType: "module", plugins: ["typescript"] }).program as unknown as Node)
  return found
}

/** What each file imports, by path. */
async function importsOf(files: readonly string[]): Promise<Map<string, string[]>> {
  const imports = new Map<string, string[]>()
  for (const file of files) {
    const text = await Bun.file(file).text()
    const named = [...text.matchAll(/^(?:import|export) (?!type)[^"]*"(\.[^"]+)"|import\("(\.[^"]+)"\)/gm)]
    imports.set(
      file,
      named.map(([, one, other]) => join(dirname(file), one ?? other ?? "")),
    )
  }
  return imports
}

// "closing-days" is tested with "days", "delivery-history" with "deliveries" and "histories".
const LETTERS_ALIKE = 5
const wordsOf = (path: string) => new Set(path.match(/[a-z]{3,}/g)?.map((word) => word.slice(0, LETTERS_ALIKE)))

/** The tests that reach a file: those with most words of its path, then those with the fewest steps, and of these the smallest. */
function testsReaching(target: string, imports: ReadonlyMap<string, string[]>): string[] {
  // Steps are proved by the contract of the store.
  const words = wordsOf(target.replace(/\/steps\/|\/actions\//, "/contract/"))
  const tests = [...imports.keys()].filter((file) => file.endsWith(".test.ts") && !/browser|binary|torture/.test(file))
  const near = tests.flatMap((test) => {
    const seen = new Set([test])
    let [edge, steps] = [[test], 0]
    while (edge.length > 0 && !seen.has(target)) {
      edge = edge.flatMap((file) => imports.get(file) ?? []).filter((file) => !seen.has(file) && seen.add(file))
      steps += 1
    }
    const shared = wordsOf(test).intersection(words).size
    return seen.has(target) ? [{ test, shared, steps, reach: seen.size }] : []
  })
  near.sort((one, other) => other.shared - one.shared || one.steps - other.steps || one.reach - other.reach)
  return near.slice(0, TESTS_MAX).map(({ test }) => test)
}

/** The same choice each time for the same seed. */
function sampled(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  if (count <= 0 || count >= mutants.length) return mutants
  const rank = (mutant: Mutant) => Bun.hash(`${mutant.file}:${mutant.start}:${mutant.text}`, BigInt(seed))
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), "adbooth-mutate-"))
  for (const name of COPIED)
    cpSync(name, join(copy, name), { recursive: true, filter: (path) => !/node_modules/.test(path) })
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"))
  return copy
}

/** Whether some test goes red, or never ends. The nearest one comes alone: it notices most. */
function goesRed(copy: string, [nearest, ...others]: readonly string[]): boolean {
  return [[nearest], others].some((tests) => {
    const paths = tests.flatMap((test) => (test === undefined ? [] : `./${test}`))
    if (paths.length === 0) return false
    const command = ["nice", "-n", "10", process.execPath, "test", "--bail", "--timeout", "20000", ...paths]
    const { success } = Bun.spawnSync(command, {
      cwd: copy,
      stdio: ["ignore", "ignore", "ignore"],
      timeout: MUTANT_MS_MAX,
      env: { ...process.env, ...server },
    })
    return !success
  })
}

// One PostgreSQL for all of them.
const server = noPostgres === null ? await sharedServer() : {}
const chosen = options.files.flatMap((pattern) => [...new Glob(pattern).scanSync(".")])
const files = chosen.filter((file) => !NOT_RULES.test(file)).sort()
const known = [...new Glob("{src,test,torture}/**/*.{ts,tsx}").scanSync(".")]
const imports = await importsOf(known)
const all = (await Promise.all(files.map(async (file) => mutantsOf(file, await Bun.file(file).text())))).flat()
const mutants = sampled(all, Number(options.sample), Number(options.seed))
const copy = copyProject()
const until = Date.now() + Number(options.minutes) * 60_000
const survivors: Mutant[] = []
let tried = 0
process.stdout.write(
  `${mutants.length} of ${all.length} changes in ${files.length} files, ${availableParallelism()} cores, one at a time\n`,
)
try {
  const tests = new Map(files.map((file) => [file, testsReaching(file, imports)]))
  for (const mutant of mutants) {
    if (Date.now() > until) break
    const { file, start, end, text } = mutant
    const source = await Bun.file(file).text()
    await Bun.write(join(copy, file), source.slice(0, start) + text + source.slice(end))
    tried += 1
    if (!goesRed(copy, tests.get(file) ?? [])) {
      survivors.push(mutant)
      process.stdout.write(`  not noticed: ${file}:${mutant.line}  ${mutant.change}\n`)
    }
    await Bun.write(join(copy, file), source)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
const red = tried - survivors.length
process.stdout.write(`${red} of ${tried} changes went red (${((100 * red) / Math.max(1, tried)).toFixed(1)} %)\n`)
process.exit(0)
