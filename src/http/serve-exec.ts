import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../lib/package-root.js'
import { respond } from './responses.js'

let script: string | undefined

/** The script that runs commands and pings, with the address of this installation; see docs/exec.md. */
export function serveExec(siteRoot: string): Response {
  script ??= readFileSync(join(packageRoot, 'static/exec.sh'), 'utf8')
  const text = script.replace("'@SITE_ROOT@'", () => quoted(siteRoot))
  return respond(200, text, 'text/x-shellscript; charset=utf-8')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
