import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { Banner } from "../parts/banner.tsx"
import type { Visit } from "../visit.ts"
import { type KeptForm, pagesOf } from "./kept-form.ts"
import { refill } from "./refill.ts"

/** The page that a kept form was on, for somebody who has just signed in; null when they no longer get to see it. */
export async function formAgain(
  { context, request, url }: Visit,
  kept: KeptForm,
  cookies: string,
): Promise<Response | null> {
  const headers = { cookie: [request.headers.get("cookie") ?? "", cookies].filter((one) => one !== "").join("; ") }
  for (const page of pagesOf(kept)) {
    const answer = await context.open(new Request(new URL(page, url), { headers }))
    if (answer.status !== 200 || !answer.headers.get("content-type")?.startsWith("text/html")) continue
    const html = refill(await answer.text(), kept, renderToString(h(SignedInAgain, kept)))
    if (html !== null) return new Response(html, { headers: answer.headers })
  }
  return null
}

function SignedInAgain({ hadFile }: Pick<KeptForm, "hadFile">) {
  return (
    <Banner tone="warn" live>
      <p>
        You are signed in again. Your session had ended, so nothing has been saved yet: here is what you typed.
        {hadFile && " Please choose the file again."}
      </p>
    </Banner>
  )
}
