import { expect, test } from "bun:test"
import { version } from "../../package.json"
import { debPackage } from "../../scripts/release/deb.ts"
import { BINARY, hasBinary } from "../binary.ts"
import { inCleanRoot, noCleanRoot } from "./clean-root.ts"

const missing = Bun.which("dpkg") === null ? "it needs dpkg" : await noCleanRoot()
if (missing !== null) console.error(`SKIPPED: the Debian package is not tried: ${missing}.`)
const architecture = process.arch === "arm64" ? "arm64" : "amd64"

const INSTALL = `
dpkg -i /given/adbooth.deb | grep 'Next,'
dpkg-query -W -f '\${Version} \${Architecture}\\n' adbooth
stat -c '%U %G %a' /var/lib/adbooth
getent passwd adbooth | cut -d: -f6,7
dpkg -V adbooth
ls /usr/share/doc/adbooth/THIRD-PARTY-NOTICES.gz /usr/share/doc/adbooth/adbooth.cdx.json.gz /usr/share/doc/adbooth/deploy/compose.yaml >/dev/null
dpkg-query -W -f '\${Maintainer}|\${Description}\n' adbooth | grep -c '^.* <.*@.*>|..*'
if command -v systemd-analyze >/dev/null; then systemd-analyze verify --man=no /usr/lib/systemd/system/adbooth.service; fi
`

// As the unit does: the user, the data directory and the executable.
const SERVE = `
as="setpriv --reuid=adbooth --regid=adbooth --clear-groups"
ADBOOTH_DATA=/var/lib/adbooth $as /usr/bin/adbooth serve --port 0 >/tmp/log 2>&1 &
for _ in $(seq 300); do grep -q '^listening on' /tmp/log && break; sleep 0.1; done
curl -fsS "$(sed -n 's/^listening on //p' /tmp/log)/healthz"; echo
kill -TERM $!; wait $! || true
stat -c '%U' /var/lib/adbooth/*.db
dpkg -i /given/adbooth.deb >/dev/null 2>&1
dpkg --purge adbooth >/dev/null
ls /var/lib/adbooth | grep -c db
test ! -e /usr/bin/adbooth
`

test.if(hasBinary && missing === null)(
  "the Debian package installs, serves as its own user, updates, and leaves the data when it is removed",
  async () => {
    const adbooth = await debPackage(architecture, await Bun.file(BINARY).bytes(), 1)
    const { code, out, err } = await inCleanRoot(`${INSTALL}${SERVE}`, { "adbooth.deb": adbooth })
    const [next, about, folder, account, described, health, owner, files] = out.trim().split("\n")
    expect({ code, next, about, folder, account, described, owner, err }).toEqual({
      code: 0,
      next: expect.stringContaining("create the first operator: sudo adbooth user setup-link"),
      about: `${version} ${architecture}`,
      folder: "adbooth adbooth 700",
      account: "/var/lib/adbooth:/usr/sbin/nologin",
      described: "1",
      owner: "adbooth",
      err: expect.stringContaining("data is kept in /var/lib/adbooth"),
    })
    expect(health).toContain("ok")
    expect(Number(files)).toBeGreaterThan(0)
  },
  600_000,
)
