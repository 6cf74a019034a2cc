import { author, description, homepage, license, version } from "../../package.json"

/**
 * Whether the names `adbooth` and `@adbooth/...` on npm are ours. Until then `npx adbooth` would run whatever a stranger publishes, so no guide names it: the owner
 * turns this on with the first release that is published there.
 */
export const ON_NPM = false

export interface Project {
  /** Where the project lives, such as https://github.com/OWNER/adbooth; null while nobody has said it. */
  readonly address: string | null
  /** Whom a package names for questions: a name with an address. */
  readonly maintainer: string
  readonly commit: string | null
}

const NAME = author.replace(/\s*<.*/, "")
const GITHUB = /^https:\/\/github\.com\/([\w-]+)\/[\w.-]+$/
// A name that can belong to nobody (RFC 2606): a package that says it was not meant to be published.
const UNKNOWN = `${NAME} <unknown@adbooth.invalid>`

/**
 * What packages say about their origin. `homepage` and `author` in package.json are its only place, and for the owner to set; a release that runs on
 * GitHub knows the repository, and refuses another one there.
 */
export function projectOf(environment: Readonly<Record<string, string | undefined>> = process.env): Project {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_SHA: sha } = environment
  const here = server && repository ? `${server}/${repository}` : null
  if (homepage !== "" && here !== null && homepage.toLowerCase() !== here.toLowerCase())
    throw new Error(`package.json says that the project is at ${homepage}, but this is ${here}.`)
  const address = homepage || here
  const owner = address === null ? undefined : GITHUB.exec(address)?.[1]
  const known = owner === undefined ? UNKNOWN : `${NAME} <${owner}@users.noreply.github.com>`
  return { address, maintainer: author.includes("<") ? author : known, commit: sha ?? commitHere() }
}

function commitHere(): string | null {
  const { success, stdout } = Bun.spawnSync(["git", "rev-parse", "HEAD"], { stderr: "ignore" })
  return success ? stdout.toString().trim() : null
}

/** As npm wants it: without `repository` a package with provenance is refused. */
export function npmFields({ address, maintainer }: Project): object {
  const fields = { version, description, license, author: maintainer }
  if (address === null) return fields
  return {
    ...fields,
    homepage: address,
    repository: { type: "git", url: `git+${address}.git` },
    bugs: { url: `${address}/issues` },
  }
}

/** As container registries show it. */
export function imageLabels({ address, maintainer, commit }: Project): Readonly<Record<string, string>> {
  const labels = {
    title: "Adbooth",
    description,
    version,
    licenses: license,
    authors: maintainer,
    ...(commit !== null && { revision: commit }),
    ...(address !== null && { source: address, url: address, documentation: `${address}/tree/v${version}/docs` }),
  }
  return Object.fromEntries(Object.entries(labels).map(([name, text]) => [`org.opencontainers.image.${name}`, text]))
}
