/** `punctual discover`: the plan for a machine, and what `--apply` makes of it, with the built program on both sides. */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { installationWithProject, serving } from '../../_support/cli.js'
import { freePort } from '../../_support/servers/free-port.js'
import { punctual, punctualJson } from '../../_support/warm-cli.js'
import { tempFolder } from '../../_support/worlds/store.js'

const CRONTAB = 'SHELL=/bin/sh\n17 *\t* * * root cd / && run-parts --report /etc/cron.hourly\n'
const CRON_D = Buffer.from('@reboot root /bin/x\r\n0 3 * * * db /bin/dump \xe9 # \xff\r\n', 'latin1')

/** The files of a machine with cron and systemd. */
async function machine(t: TestContext): Promise<string> {
  const root = await tempFolder(t)
  const files: Record<string, string | Buffer> = {
    'etc/crontab': CRONTAB,
    'etc/cron.d/dumps': CRON_D,
    'etc/cron.d/ignored.bak': '* * * * * root ignored\n',
    'usr/lib/systemd/system/rotate.timer': '[Timer]\nOnCalendar=daily\nRandomizedDelaySec=1h\n',
    'usr/lib/systemd/system/rotate.service': '[Service]\nExecStart=/bin/rotate\n',
    'usr/lib/systemd/system/off.timer': '[Timer]\nOnCalendar=daily\n',
    'usr/lib/systemd/system/boot.timer': '[Timer]\nOnBootSec=5min\n',
    'etc/systemd/system/timers.target.wants/rotate.timer': '',
    'etc/systemd/system/timers.target.wants/boot.timer': '',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true })
    await writeFile(join(root, name), text, { mode: 0o640 })
  }
  return root
}

const named = ['--host', 'web1', '--timezone', 'Europe/Riga']

test('the plan names each job with its check, or says why it has none, and changes nothing', async t => {
  const root = await machine(t)
  const args = ['discover', '--root', root, ...named]
  const { code, stdout, stderr } = await punctual({ HOME: root }, args)
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /crontab:2 +web1-cron-hourly +17 \* \* \* \* +30 min +new\n/)
  assert.match(stdout, /dumps:1 .*no check: it runs when the machine starts, not at a time\n/)
  assert.match(stdout, /dumps:2 +web1-dump +0 3 \* \* \* +60 min +new\n/)
  assert.match(stdout, /rotate\.timer +web1-rotate +daily +121 min +new\n/)
  assert.match(stdout, /boot\.timer .*no check: it runs after a start/)
  assert.match(stdout, /With --apply these 3 get their checks and ping\.\n$/)
  assert.ok(!/off\.timer|ignored/.test(stdout))
  const shapes = await punctualJson({ HOME: root }, args)
  assert.deepEqual([shapes.length, shapes[0].check.tz, shapes[0].ping_url], [5, 'Europe/Riga', null])
  assert.equal(await readFile(join(root, 'etc/crontab'), 'utf8'), CRONTAB)
})

test('of two files with the same comment, the second line gets no check and stays as it is', async t => {
  const folder = await tempFolder(t)
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  await writeFile(one, '* * * * * a\n0 3 * * * b # punctual: nightly\n')
  await writeFile(two, '0 4 * * * c # punctual: nightly\n')
  const { stdout } = await punctual({ HOME: folder }, ['discover', ...named, one, two, '--format', 'user'])
  assert.match(stdout, /one:2 +nightly /)
  assert.ok(stdout.includes(`no check: line 2 of ${one} has the comment “punctual: nightly” too`), stdout)
})

test('files and standard input are read as crontabs, and what is wrong is said', async t => {
  const folder = await tempFolder(t)
  await writeFile(join(folder, 'tab'), '* * * * * root x\n')
  const run = (args: string[], input = '') =>
    punctual({ HOME: folder }, ['discover', ...named, ...args], input)
  assert.match((await run([join(folder, 'tab')])).stdout, /web1-x +\* \* \* \* \*/)
  assert.match((await run([join(folder, 'tab'), '--format', 'user'])).stdout, /web1-root/)
  assert.match((await run(['-'], '@daily y')).stdout, /standard input:1 +web1-y +0 0 \* \* \*/)
  assert.match((await run(['-'])).stdout, /^No jobs were found\.\n$/)
  assert.match((await run([join(folder, 'none')])).stderr, /none cannot be read\n$/)
  assert.match((await run(['-', '--timezone', 'Mars'])).stderr, /Mars is not a time zone/)
  assert.match((await run(['-', '--apply'], '@daily y')).stderr, /no server is known/)
})

test('--apply makes the checks and lets the jobs ping; what was interrupted is completed, and then nothing changes', async t => {
  const installation = await installationWithProject(t)
  const port = await freePort()
  const at = `http://127.0.0.1:${port}`
  const { url } = await serving(t, { ...installation.env, PORT: String(port), PING_ENDPOINT: `${at}/ping/` })
  const scopes = ['--scopes', 'checks:read', 'checks:write', 'channels:write']
  const asked = ['token', 'create', '--project', installation.uuid, '--name', 'web1', ...scopes]
  const { token } = await punctualJson(installation.env, asked)
  const root = await machine(t)
  const user = { HOME: root, PUNCTUAL_URL: url, PUNCTUAL_TOKEN: token }
  const copies = join(root, 'copies')
  const apply = (...more: string[]) =>
    punctual(user, ['discover', '--apply', '--root', root, '--copies', copies, ...named, ...more])
  const checks = () => punctualJson(user, ['checks', 'list'])

  // As after a run that ended when it had made this check.
  await punctual(user, [
    'checks',
    'create',
    'Dumps',
    '--slug',
    'web1-dump',
    '--cron',
    '0 3 * * *',
    '--timezone',
    'Europe/Riga',
  ])
  const { code, stdout, stderr } = await apply()
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /Created web1-cron-hourly\.\nCopied .*\nRewrote /)
  assert.ok(!stdout.includes('Created web1-dump'))
  const made = await checks()
  assert.deepEqual(made.map((check: { slug: string }) => check.slug).sort(), [
    'web1-cron-hourly',
    'web1-dump',
    'web1-rotate',
  ])

  const pingOf = (slug: string) => made.find((check: { slug: string }) => check.slug === slug).ping_url
  const ping = (slug: string) => `; curl -fsS -m 10 --retry 5 -o /dev/null ${pingOf(slug)}/$?`
  const written = await readFile(join(root, 'etc/crontab'), 'utf8')
  assert.equal(written, CRONTAB.replace(/\n$/, `${ping('web1-cron-hourly')} # punctual: web1-cron-hourly\n`))
  const dumps = (await readFile(join(root, 'etc/cron.d/dumps'))).toString('latin1')
  assert.equal(
    dumps,
    CRON_D.toString('latin1').replace(/ # \xff/, `${ping('web1-dump')} # \xff # punctual: web1-dump`),
  )
  assert.equal((await stat(join(root, 'etc/crontab'))).mode & 0o777, 0o640)
  const dropIn = await readFile(join(root, 'etc/systemd/system/rotate.service.d/punctual.conf'), 'utf8')
  assert.match(dropIn, /^# punctual: web1-rotate\n/)
  assert.ok(dropIn.includes(`${pingOf('web1-rotate')}/$$s`))
  const copied = await readdir(copies)
  assert.equal(copied.length, 2)
  const contents = await Promise.all(
    copied.map(async name => (await readFile(join(copies, name))).toString('latin1')),
  )
  assert.deepEqual(contents.sort(), [CRONTAB, CRON_D.toString('latin1')].sort())

  assert.deepEqual(await apply(), { code: 0, stdout: '', stderr: '' })
  assert.equal(await readFile(join(root, 'etc/crontab'), 'utf8'), written)
  assert.equal((await checks()).length, 3)
  assert.ok(!(await readdir(join(root, 'etc'))).some(name => name.startsWith('.')))

  // An edited line keeps its check.
  await writeFile(join(root, 'etc/crontab'), written.replace('17 *\t', '20 *\t').replace('--report', '-v'))
  assert.equal((await apply()).stdout, 'Changed the time of web1-cron-hourly.\n')
  const [changed] = (await checks()).filter((check: { slug: string }) => check.slug === 'web1-cron-hourly')
  assert.equal(changed.schedule, '20 * * * *')

  // On standard output there is only the crontab.
  const piped = await punctual(user, ['discover', '-', '--apply', ...named], '5 5 * * * /bin/piped')
  assert.match(piped.stdout, /^5 5 \* \* \* \/bin\/piped; curl [^\n]* # punctual: web1-piped$/)
})
