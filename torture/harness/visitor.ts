import { must, type Server } from "./booth.ts"

export const OPERATOR_EMAIL = "operator@example.com"

/** Makes an operator through the command line. */
export async function makeOperator(data: string, password: string): Promise<void> {
  await must(
    ["user", "create", "--email", OPERATOR_EMAIL, "--name", "Op", "--operator", "--password-stdin", "--data", data],
    { input: password },
  )
}

/** Signs in as a browser would. The session cookie, as it is sent back. */
export async function signIn({ url }: Pick<Server, "url">, password: string): Promise<string> {
  const response = await sendSignIn({ url }, OPERATOR_EMAIL, password)
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "")
  if (response.status !== 303 || cookies.length === 0) throw new Error(`signing in answered ${response.status}`)
  return cookies.join("; ")
}

/** One attempt to sign in, as if from another address where that is given and the server trusts this one as a proxy. */
export function sendSignIn(
  { url }: Pick<Server, "url">,
  email: string,
  password: string,
  address?: string,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/app/sign-in`, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin", ...(address !== undefined && { "X-Forwarded-For": address }) },
    body: new URLSearchParams({ email, password, next: "/app" }),
    redirect: "manual",
    ...(signal && { signal }),
  })
}

/** Sends a form and gives the page that it leads to, as a browser would show it. */
export async function pageAfter(
  { url }: Pick<Server, "url">,
  cookie: string,
  path: string,
  fields: Record<string, string>,
): Promise<string> {
  const headers = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" }
  const body = new URLSearchParams(fields)
  const response = await fetch(url + path, { method: "POST", headers, body, redirect: "manual" })
  const location = response.headers.get("location")
  if (location === null) return response.text()
  const cookies = [cookie, ...response.headers.getSetCookie().map((set) => set.split(";")[0] ?? "")]
  return (await fetch(new URL(location, url), { headers: { ...headers, Cookie: cookies.join("; ") } })).text()
}
