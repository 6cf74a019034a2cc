import { expect, test } from "bun:test"
import { join } from "node:path"
import { readBrief } from "../../../../src/domain/adcp/brief/reading/read-brief.ts"

const text = await Bun.file(join(import.meta.dir, "constructions.txt")).text()
const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))

/** The lines of a language with this sign after it; those without any where it is empty. */
function linesOf(language: string, sign: "" | "+" | "!" | "@" | "#"): string[] {
  const own = lines
    .filter((line) => line.startsWith(`${language} `))
    .map((line) => line.slice(3).replaceAll("\\n", "\n"))
  return sign === ""
    ? own.filter((line) => !/^[+!@#] /.test(line))
    : own.flatMap((line) => (line.startsWith(`${sign} `) ? [line.slice(2)] : []))
}

const thingsOf = (language: string) => linesOf(language, "#").map((line) => line.split(" = ") as [string, string])

function read(brief: string) {
  const reading = readBrief(brief)
  const unwanted = [...reading.without.channels, ...reading.without.countries]
  return {
    wanted: [...reading.channels, ...reading.countries],
    unwanted,
    quotes: reading.notInterpreted.join(" ").toLowerCase(),
  }
}

const languages = ["en", "de", "fr", "es"]

test.each(languages)(
  "%s: what is not wanted never counts as wanted, and is quoted unless it is ruled out for sure",
  (language) => {
    const wrong: string[] = []
    let count = 0
    for (const construction of linesOf(language, "")) {
      for (const [name, thing] of thingsOf(language)) {
        const others = construction.includes("{Y}")
          ? thingsOf(language).filter(([, other]) => other !== thing)
          : [["", ""] as const]
        for (const [otherName, other] of others) {
          const said = construction.replace("{X}", name).replace("{Y}", otherName)
          for (const around of linesOf(language, "@")) {
            const brief = around.replace("{}", said)
            const { wanted, unwanted, quotes } = read(brief)
            const isTold = unwanted.includes(thing) || quotes.includes(name.split(" ").at(-1)?.toLowerCase() ?? "")
            if (wanted.includes(thing) || unwanted.includes(other) || !isTold) wrong.push(brief)
            count++
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(3_500)
  },
)

test.each(languages)("%s: what only looks like a negation rules nothing out", (language) => {
  const wrong: string[] = []
  for (const construction of linesOf(language, "+")) {
    for (const [name, thing] of thingsOf(language)) {
      for (const around of linesOf(language, "@")) {
        const brief = around.replace("{}", construction.replace("{Y}", name))
        if (read(brief).unwanted.includes(thing)) wrong.push(brief)
      }
    }
  }
  expect(wrong).toEqual([])
})

test.each(languages)("%s: what is plainly a wish is read as one", (language) => {
  const missed: string[] = []
  for (const construction of linesOf(language, "!")) {
    for (const [name, thing] of thingsOf(language)) {
      for (const around of linesOf(language, "@")) {
        const brief = around.replace("{}", construction.replace("{Y}", name))
        if (!read(brief).wanted.includes(thing)) missed.push(brief)
      }
    }
  }
  expect(missed).toEqual([])
})

test("what is not sure is quoted, once, and without what may be a secret", () => {
  const { notInterpreted } = readBrief(
    `Not podcast ${"x".repeat(60)} a1b2c3d4e5f6g7. ${"Not radio whatever. ".repeat(3)}`,
  )
  expect(notInterpreted).toEqual(["Not podcast … …", "Not radio whatever"])
})
