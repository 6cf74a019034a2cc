import type { Visitor } from "./visitor.ts"

/** The answer to the questions of a page, to be sent back by whoever means it; undefined where nothing is asked. */
export function answerIn(html: string): string | undefined {
  return /name="answer\.[^"]+" value="([^"]+)"/.exec(html)?.[1]
}

export type TypedTotal = Readonly<Partial<Record<"impressions" | "downloads" | "as_of" | "answer", string>>>

/** Types the total of one line, by the path of its page; without a number it is marked as delivered. */
export function reportLine(person: Visitor, line: string, typed: TypedTotal): Promise<Response> {
  const [, , , seller = ""] = line.split("/")
  const id = line.split("/").at(-1) ?? ""
  const { impressions, downloads, as_of = "", answer } = typed
  return person.post(`/app/o/${seller}/totals?line=${id}`, {
    [`total.${id}`]: impressions ?? downloads ?? "delivered",
    as_of,
    as_of_time: "",
    ...(answer !== undefined && { [`answer.${id}`]: answer, [`anyway.${id}`]: "yes" }),
  })
}

/** The same as somebody who says yes to whatever is asked. */
export async function reportAnyway(person: Visitor, line: string, typed: TypedTotal): Promise<Response> {
  const first = await reportLine(person, line, typed)
  if (first.status !== 200) return first
  const answer = answerIn(await first.text())
  if (answer === undefined) throw new Error("neither an answer nor a question")
  return reportLine(person, line, { ...typed, answer })
}
