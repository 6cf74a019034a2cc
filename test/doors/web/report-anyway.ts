import type { Visitor } from "./visitor.ts"

/** The answer to the questions of a page, to be sent back by whoever means it; undefined where nothing is asked. */
export function answerIn(html: string): string | undefined {
  return /name="answer" value="([^"]+)"/.exec(html)?.[1]
}

/** Sends a line's form as somebody who says yes to whatever is asked. */
export async function reportAnyway(
  person: Visitor,
  line: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const first = await person.post(`${line}/report`, fields)
  if (first.status !== 200) return first
  const answer = answerIn(await first.text())
  if (answer === undefined) throw new Error("neither an answer nor a question")
  return person.post(`${line}/report`, { ...fields, answer })
}
