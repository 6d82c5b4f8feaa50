import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, clock } = world
const bytes = (text: string) => new TextEncoder().encode(text)
const details = async (uuid: string, query = '') => await alice.get(`/checks/${uuid}/details/${query}`)

test('a check that was never pinged says so and shows how to ping it in every language', async () => {
  const uuid = await world.addCheck('Fresh')
  const { status, text } = await details(uuid)
  assert.equal(status, 200)
  const words = wordsOf(text)
  assert.match(words, /Waiting for its first ping/)
  assert.match(words, /–\s*not pinged, or paused/)
  assert.doesNotMatch(words, /100\.00 %/)
  for (const label of [
    'Crontab',
    'Bash',
    'Python',
    'Node.js',
    'Go',
    'PHP',
    'Ruby',
    'GitHub Actions',
    'Windows',
    'systemd',
    'Docker',
  ]) {
    assert.match(words, new RegExp(label))
  }
  assert.match(words, /Kubernetes/)
  assert.match(words, new RegExp(`--retry 5 -o /dev/null http://[^ ]+/ping/${uuid}`))
  assert.match(words, new RegExp(`punctual-exec --url http://[^ ]+/ping/${uuid} -- /path/to/job`))
  assert.match(words, /http:\/\/[^ ]+\/exec\.sh/)
})

test('the state is told in words, with its reason and the end of the last output', async () => {
  const uuid = await world.addCheck('Told')
  await pingCheck(world, uuid)
  assert.match(wordsOf((await details(uuid)).text), /Up\. The next ping is expected\s+in 1 d/)
  clock.advance(86_400 + 1_800)
  assert.match(wordsOf((await details(uuid)).text), /Late: the ping was expected/)
  clock.advance(3_600)
  assert.match(wordsOf((await details(uuid)).text), /Down since .*No ping since .*grace ended/s)
  await pingCheck(world, uuid, 'success', { exitStatus: 2, body: bytes('disk full on /dev/sda1') })
  await pingCheck(world, uuid, 'fail', { exitStatus: 3, body: bytes('no space left') })
  const words = wordsOf((await details(uuid)).text)
  assert.match(words, /The job exited with status 3/)
  assert.match(words, /no space left/)
})

test('a failure that comes after the check went down is not what it waited for', async () => {
  const uuid = await world.addCheck('Late and failed')
  await pingCheck(world, uuid)
  clock.advance(86_400 + 3_600)
  await world.store.alerts.declareDown(clock.now(), 10, null)
  clock.advance(1_440)
  await pingCheck(world, uuid, 'fail', { exitStatus: 2 })
  const words = wordsOf((await details(uuid)).text)
  assert.match(
    words,
    /Down since .*No ping came in time: expected .*grace ended .* The last ping, .*, was not a success\./s,
  )
  assert.doesNotMatch(words, /No ping since/)
})

test('how to ping is one line once a check was pinged, and opens to all snippets', async () => {
  const uuid = await world.addCheck('Pinged')
  await pingCheck(world, uuid)
  const folded = (await details(uuid)).text
  assert.match(folded, new RegExp(`data-copy="http://[^"]+/ping/${uuid}"`))
  assert.doesNotMatch(folded, /Kubernetes/)
  const [, query] = /details\/(\?[^"#]*)#how-to-ping">Snippets/.exec(folded)!
  assert.match(wordsOf((await details(uuid, query)).text), /Crontab.*Kubernetes/s)
})

test('a downtime of 20 minutes colours a small part of its day, which leads to its events', async () => {
  const uuid = await world.addCheck('Scaled')
  await pingCheck(world, uuid)
  clock.advance(600)
  await pingCheck(world, uuid, 'fail')
  clock.advance(1_200)
  await pingCheck(world, uuid)
  const { text } = await details(uuid)
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  const [today] = new RegExp(`<a href="/checks/${uuid}/log/\\?day=${day}".*?</a>`).exec(text)!
  assert.match(today, /down once, 20 min/)
  assert.match(today, /class="day-down" d="M\d+ 0h6v5h-6z".*class="day-up" d="M\d+ 7h6v27h-6z"/)
})

test('figures tell the usual duration, and the chart has every value', async () => {
  const uuid = await world.addCheck('Timed')
  for (const seconds of [10, 20, 30]) {
    await pingCheck(world, uuid, 'start')
    clock.advance(seconds)
    await pingCheck(world, uuid)
  }
  const { text } = await details(uuid)
  assert.match(wordsOf(text), /20 s\s*Median of 3 runs; 95 % finish within 30 s/)
  for (const value of ['10 s', '20 s', '30 s'])
    assert.match(text, new RegExp(`succeeded after ${value}</title>`))
})

test('a ping shows all that is known of it, its body can be downloaded, and it leads to its neighbours', async () => {
  const uuid = await world.addCheck('Bodies')
  const rid = '11111111-2222-4333-8444-555555555555'
  await pingCheck(world, uuid, 'start', { rid })
  clock.advance(7)
  const evil = '<script>alert(1)</script>'
  const more = { rid, exitStatus: 4, ua: evil, remoteAddr: '203.0.113.9', method: 'POST', body: bytes(evil) }
  await pingCheck(world, uuid, 'fail', more)
  const last = await alice.open(`/checks/${uuid}/last_ping/`)
  assert.doesNotMatch(last.text, /<script>alert/)
  const words = wordsOf(last.text)
  for (const part of ['Ping #2', 'Exit status 4', '7 s', rid, '203.0.113.9', 'POST']) {
    assert.ok(words.includes(part), part)
  }
  assert.match(last.text, new RegExp(`/checks/${uuid}/pings/1/`))
  const body = await alice.get(`/checks/${uuid}/pings/2/body/`)
  assert.equal(body.headers.get('Content-Type'), 'application/octet-stream')
  assert.equal(body.headers.get('Content-Disposition'), `attachment; filename="${uuid}-2.txt"`)
  assert.equal(body.text, evil)
  assert.equal((await alice.get(`/checks/${uuid}/pings/1/body/`)).status, 404)
  assert.equal((await alice.get(`/checks/${uuid}/pings/3/`)).status, 404)
})

test('an e-mail is shown as text, as HTML source and as it came', async () => {
  const uuid = await world.addCheck('Mailed')
  const mail = [
    'From: cron@example.org',
    'Subject: =?utf-8?q?Backup_fertig_=E2=9C=93?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'all is well',
    '--x',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p onclick="alert(1)">all is <b>well</b></p>',
    '--x--',
    '',
  ].join('\r\n')
  await pingCheck(world, uuid, 'success', { scheme: 'email', method: '', body: bytes(mail) })
  const { text } = await alice.open(`/checks/${uuid}/last_ping/`)
  assert.match(text, /Backup fertig ✓/)
  for (const label of ['Text', 'HTML', 'Source'])
    assert.match(text, new RegExp(`<label for="body-\\d">${label}<`))
  assert.match(text, /&lt;p onclick=&quot;alert\(1\)&quot;&gt;/)
  assert.doesNotMatch(text, /<p onclick/)
})
