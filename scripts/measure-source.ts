import { parse } from "@babel/parser"
import { Glob } from "bun"

// Prints how large files and functions of src are: `bun scripts/measure-source.ts [FOLDER]`.

interface Measured {
  readonly lines: number
  readonly place: string
}

interface Node {
  readonly type: string
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "loc" in value
const isFunction = ({ type }: Node) =>
  /^(Function|ArrowFunction|ObjectMethod|ClassMethod|ClassPrivateMethod)/.test(type)

function* functionsIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* functionsIn(one)
  if (!isNode(value)) return
  if (isFunction(value)) yield value
  for (const [name, child] of Object.entries(value)) if (name !== "loc") yield* functionsIn(child)
}

const folder = process.argv[2] ?? "src"
const files: Measured[] = []
const functions: Measured[] = []
for (const path of new Glob(`${folder}/**/*.{ts,tsx}`).scanSync(".")) {
  const text = await Bun.file(path).text()
  files.push({ lines: text.split("\n").length - 1, place: path })
  const { program } = parse(text, {
    sourceType: "module",
    plugins: ["typescript", "jsx", "explicitResourceManagement"],
  })
  for (const { loc } of functionsIn(program)) {
    functions.push({ lines: loc.end.line - loc.start.line + 1, place: `${path}:${loc.start.line}` })
  }
}

function show(noun: string, measured: Measured[], longest: number): void {
  const sorted = measured.toSorted((a, b) => b.lines - a.lines)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.lines
  console.log(`${noun}: ${measured.length}, median ${at(0.5)} lines, 95th percentile ${at(0.05)}, longest:`)
  for (const { lines, place } of sorted.slice(0, longest)) console.log(`  ${lines}  ${place}`)
}

console.log(`${folder}: ${files.reduce((sum, { lines }) => sum + lines, 0)} lines`)
show("files", files, 8)
show("functions", functions, 15)
