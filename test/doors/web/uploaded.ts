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

/** Uploads a file; its address. */
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
  return address
}

/** What the form of a preview says that somebody has seen. */
export async function seenAt(person: Visitor, address: string): Promise<{ seen: string }> {
  return { seen: /name="seen" value="([^"]*)"/.exec(await person.read(address))?.[1] ?? "" }
}

/** Reports a previewed file: with every odd line ticked, unless told otherwise. The page that follows. */
export async function reportFile(person: Visitor, address: string, anyway = true): Promise<string> {
  await person.post(`${address}/report`, { ...(await seenAt(person, address)), ...(anyway && { anyway_all: "yes" }) })
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
