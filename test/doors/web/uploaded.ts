import { nextTurn } from "../../harness.ts"
import type { Visitor } from "./visitor.ts"

export const UPLOAD = "/app/o/acme-audio/upload"

type Content = string | Uint8Array<ArrayBuffer>

/** Sends a file as the form does. */
export function sendFile(person: Visitor, kind: string, text: Content, name = "october.csv", to = UPLOAD) {
  const form = new FormData()
  form.set("kind", kind)
  form.set("file", new File([text], name, { type: "text/csv" }))
  return person.post(to, form)
}

/** Uploads a file and waits until the server has read it; its address. */
export async function uploadFile(
  person: Visitor,
  kind: string,
  text: Content,
  name?: string,
  to?: string,
): Promise<string> {
  const sent = await sendFile(person, kind, text, name, to)
  const address = sent.headers.get("location")
  if (sent.status !== 303 || address === null) throw new Error(`not uploaded: ${sent.status} ${await sent.text()}`)
  await settled(person, address)
  return address
}

/** Waits until the server has done what it can without anybody. */
export async function settled(person: Visitor, address: string): Promise<string> {
  for (;;) {
    const { state } = (await (await person.get(`${address}/status`)).json()) as { state: string }
    if (state !== "reading" && state !== "reporting") return state
    await nextTurn()
  }
}

/** What the form of a preview says that somebody has seen. One that takes longer comes after a page of its progress. */
export async function seenAt(person: Visitor, address: string): Promise<{ seen: string }> {
  const html = await person.read(address)
  if (!html.includes("data-progress=")) return { seen: /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? "" }
  await settled(person, address)
  return seenAt(person, address)
}

/** Reports a previewed file: with every odd line ticked, unless told otherwise. The page that follows. */
export async function reportFile(person: Visitor, address: string, anyway = true): Promise<string> {
  await person.post(`${address}/report`, { ...(await seenAt(person, address)), ...(anyway && { anyway_all: "yes" }) })
  await settled(person, address)
  return person.read(address)
}

/** A file that is uploaded and reported at once. */
export async function reportText(
  person: Visitor,
  kind: string,
  text: Content,
  name?: string,
  to?: string,
): Promise<string> {
  return reportFile(person, await uploadFile(person, kind, text, name, to))
}
