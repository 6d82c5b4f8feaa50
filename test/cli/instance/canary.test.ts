/** The built program behind a proxy that is taken away, with short minutes. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { installationWithProject, serving } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { freePort } from '../../_support/servers/free-port.js'
import { openLooseCable } from '../../_support/servers/loose-cable.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { openRecorder } from '../../_support/servers/recorder.js'

/** Loaded into the program before itself: its minutes take one and a half seconds. */
const SHORT_MINUTES = `data:text/javascript,${encodeURIComponent(`
  const { setInterval } = globalThis
  globalThis.setInterval = (run, ms, ...args) => setInterval(run, ms === 60_000 ? 1_500 : ms, ...args)
`)}`

/** The program, with its ping endpoint on a proxy that breaks connections when it is cut. */
async function startBehindProxy(t: TestContext) {
  const port = await freePort()
  const cable = await openLooseCable(`http://127.0.0.1:${port}`)
  const mail = await openMailServer(t)
  const monitor = await openRecorder(t)
  const { env, pingKey } = await installationWithProject(t, {
    PORT: String(port),
    PING_CANARY: 'True',
    PING_ENDPOINT: `${cable.root}/ping/`,
    ADMIN_EMAIL: 'operator@monitor.example',
    EMAIL_HOST: '127.0.0.1',
    EMAIL_PORT: String(mail.options.port),
    EMAIL_USE_TLS: 'False',
    HEARTBEAT_URL: `${monitor.url}/ping/abc`,
    METRICS_KEY: 'open sesame',
  })
  const server = await serving(t, env, [], ['--import', SHORT_MINUTES])
  const metric = async (name: string) => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: 'Bearer open sesame' } })
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await answer.text())?.[1])
  }
  return { cable, mail, monitor, server, pingKey, metric }
}

test('while its proxy is away, pings count as unreachable and the operator is told', async t => {
  const { cable, mail, monitor, server, metric } = await startBehindProxy(t)
  await eventually(async () => (await metric('punctual_ping_endpoint_up')) === 1)
  await eventually(() => monitor.requests.length > 0)
  const outages = await metric('punctual_outages')
  cable.refuse()
  await eventually(() => mail.mails.length === 1)
  assert.equal(await metric('punctual_ping_endpoint_up'), 0)
  assert.equal(await metric('punctual_outages'), outages + 1)
  assert.ok((await metric('punctual_hold_seconds')) > 0)
  assert.deepEqual(mail.mails[0]!.envelope.to, ['operator@monitor.example'])
  assert.match(mail.mails[0]!.headers.subject!, /^Pings cannot reach/)
  assert.match(server.output.stderr, /"msg":"pings cannot reach the ping endpoint"/)
  const lines = () => server.output.stderr.split('\n')
  await eventually(
    () => lines().some(line => line.includes('no heartbeat') && line.includes('cannot reach')),
    () => server.output.stderr,
  )
  const before = monitor.requests.length
  cable.mend()
  await eventually(() => mail.mails.length === 2)
  assert.match(mail.mails[1]!.headers.subject!, /^Pings reach .* again$/)
  await eventually(() => monitor.requests.length > before + 1)
  assert.equal(await metric('punctual_ping_endpoint_up'), 1)
  assert.equal(await metric('punctual_outages'), outages + 1)
})

test('a ping that comes another way ends it', async t => {
  const { cable, mail, server, pingKey, metric } = await startBehindProxy(t)
  await eventually(async () => (await metric('punctual_ping_endpoint_up')) === 1)
  cable.refuse()
  await eventually(() => mail.mails.length === 1)
  assert.equal((await fetch(`${server.url}/ping/${pingKey}/job?create=1`)).status, 201)
  await eventually(() => mail.mails.length === 2)
  assert.equal(await metric('punctual_ping_endpoint_up'), 0)
})
