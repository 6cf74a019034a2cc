/** Whether somebody looks at an address with a browser, rather than a program. */
export const wantsPage = ({ method, headers }: Request): boolean =>
  (method === "GET" || method === "HEAD") && (headers.get("accept") ?? "").includes("text/html")
