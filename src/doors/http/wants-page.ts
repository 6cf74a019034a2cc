/** Whether somebody looks at an address with a browser, rather than a program. */
export function wantsPage({ method, headers }: Request): boolean {
  return (method === "GET" || method === "HEAD") && (headers.get("accept") ?? "").includes("text/html")
}
