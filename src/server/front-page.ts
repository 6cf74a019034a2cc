const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Adbooth</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 4rem auto; max-width: 36rem; padding: 0 1rem }</style>
<h1>Adbooth</h1>
<p>This is the address of a sales agent, which AI buying agents call. People use these pages:</p>
<ul>
<li><a href="/app">Open the app</a></li>
<li><a href="/docs">Read the guides</a></li>
</ul>
`

/** What a browser sees at the address of the sales agent, which only takes POST. */
export const frontPage = (): Response =>
  new Response(PAGE, {
    status: 405,
    headers: {
      Allow: "POST",
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  })
