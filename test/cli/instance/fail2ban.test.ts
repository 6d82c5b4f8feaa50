import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../../src/lib/package-root.js'
import { Visitor } from '../../_support/browser/visitor.js'
import { migratedInstallation, punctual, serving } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'

/** The filter's expressions, as fail2ban makes them: `%(name)s` is another option, `<ADDR>` an address. */
function failregexes(): RegExp[] {
  const text = readFileSync(join(packageRoot, 'deploy/fail2ban/filter.d/punctual.conf'), 'utf8')
  const options = new Map<string, string>()
  for (const [, name, value] of text.matchAll(/^(\w+) *= *(.*(?:\n[ \t]+\S.*)*)$/gm))
    options.set(name!, value!)
  return options
    .get('failregex')!
    .split('\n')
    .map(line => line.trim().replace(/%\((\w+)\)s/g, (_, name: string) => options.get(name)!))
    .map(line => new RegExp(line.replace('<ADDR>', '(?<address>[0-9a-fA-F:.]+)')))
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/

/** The addresses that the filter finds in lines of a file (fail2ban cuts the time out) and of the journal. */
function found(lines: readonly string[], source: 'file' | 'journal'): string[] {
  const asRead = lines.map(line => (source === 'file' ? line.replace(TIME, '') : `host node[42]: ${line}`))
  return asRead.flatMap(line => {
    const match = failregexes()
      .map(expression => expression.exec(line))
      .find(Boolean)
    return match ? [match.groups!.address!] : []
  })
}

for (const format of ['json', 'pretty']) {
  test(`the fail2ban filter finds guesses in the ${format} log of a running program, and nothing else`, async t => {
    const settings = { LOG_FORMAT: format, TRUSTED_PROXIES: '127.0.0.1' }
    const env = await migratedInstallation(t, settings)
    await punctual(env, ['user', 'create', 'a@example.org'])
    const { url, output } = await serving(t, env)
    const from = (address: string) => new Visitor(url, { 'X-Forwarded-For': address })
    const fields = { email: 'a@example.org', password: 'x' }
    await from('203.0.113.7').post('/accounts/login/', fields)
    await from('203.0.113.7').post('/accounts/link/unknown/')
    await from('2001:db8::7').post('/accounts/login/', {
      ...fields,
      email: 'security=sign-in-failed@address=192.0.2.1',
    })
    // None of these is a guess: a job with an old key, a form that was open for too long, a page that another
    // site made the browser open.
    await from('192.0.2.3').get('/accounts/link/unknown/')
    await fetch(`${url}/api/v3/checks/`, { headers: { 'X-Api-Key': 'x'.repeat(32) } })
    await from('192.0.2.2').post('/accounts/login/', { ...fields, csrf: 'expired' })
    const lines = await eventually(() => {
      const whole = output.stderr.split('\n')
      return whole.some(line => line.includes('csrf-refused')) && whole
    })
    for (const source of ['file', 'journal'] as const) {
      assert.deepEqual(found(lines, source), ['203.0.113.7', '203.0.113.7', '2001:db8::7'], source)
    }
  })
}
