import { must, type Server } from "./booth.ts"

const EMAIL = "operator@example.com"

/** Makes an operator through the command line. */
export async function makeOperator(data: string, password: string): Promise<void> {
  await must(
    ["user", "create", "--email", EMAIL, "--name", "Op", "--operator", "--password-stdin", "--data", data],
    password,
  )
}

/** Signs in as a browser would. The session cookie, as it is sent back. */
export async function signIn({ url }: Pick<Server, "url">, password: string): Promise<string> {
  const response = await fetch(`${url}/app/sign-in`, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ email: EMAIL, password, next: "/app" }),
    redirect: "manual",
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "")
  if (response.status !== 303 || cookies.length === 0) throw new Error(`signing in answered ${response.status}`)
  return cookies.join("; ")
}
