import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { github } from '../../../src/integrations/kinds/github/github.js'
import { aDestination, anAlert, NOW, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import type { Answer, RecordedRequest } from '../../_support/servers/recorder.js'
import { standIn } from '../../_support/servers/stand-in.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

const settings = { installation_id: '4711', repo: 'alice/alpha.jobs', labels: 'cron, down' }
const operator = {
  GITHUB_CLIENT_ID: 'Iv1.8a61f9b3a7aba766',
  GITHUB_CLIENT_SECRET: 's3cretsecret',
  GITHUB_PRIVATE_KEY: privateKey,
}
const TOKEN = 'ghs_16C7e42F292c6912E7710c838347Ae178B4a'
const taken = (request: RecordedRequest): Answer =>
  request.url.startsWith('/app/') ? { status: 201, body: JSON.stringify({ token: TOKEN }) } : { status: 201 }

integrationCases({
  integration: github,
  settings: () => settings,
  operator: () => operator,
  origins: ['https://api.github.com'],
  accepts: taken,
  down([asked, request], alert) {
    assert.equal(`${asked?.method} ${asked?.url}`, 'POST /app/installations/4711/access_tokens')
    assert.equal(`${request?.method} ${request?.url}`, 'POST /repos/alice/alpha.jobs/issues')
    assert.equal(request!.headers.authorization, `Bearer ${TOKEN}`)
    assert.equal(request!.headers.accept, 'application/vnd.github+json')
    const { title, body, labels } = jsonOf(request!)
    assert.equal(title, 'Backup is DOWN, exit status 2')
    assert.deepEqual(labels, ['cron', 'down'])
    assert.match(
      body,
      /^\*\*Backup is DOWN, exit status 2\*\*\n\n- \*\*Down since:\*\* Thu 5 Mar 2026 11:50:00 UTC\n/,
    )
    assert.ok(body.includes(`[View the check](${alert.checkUrl})`))
  },
  up: 'never',
  hostile([, request]) {
    const { title, body } = jsonOf(request!)
    assert.ok(title.length <= 256)
    assert.doesNotMatch(title, /[\p{Cc}\u202e]/u)
    const [told, output] = body.split('\n````\n')
    // Nobody is mentioned, and nothing is linked that was not meant.
    assert.doesNotMatch(told, /@\w|(?<!\\)[<>]|(?<!\\)\]\(https:\/\/evil/)
    assert.match(output, /@everyone/)
  },
  permanent: [{ status: 404, error: 'GitHub denied access to alice/alpha.jobs' }],
  notice([, request], notice) {
    assert.ok(jsonOf(request!).body.endsWith(`[Punctual](${notice.url})`))
  },
})

async function sending(t: TestContext, atIssues: Answer, changes = {}) {
  const { requests, transports } = await standIn(t, 'https://api.github.com', request =>
    request.url.startsWith('/app/') ? taken(request) : atIssues,
  )
  const to = aDestination(github, settings, { operator: { ...operator, ...changes } })
  return { requests, sent: github.send(anAlert(), to, transports) }
}

test('github: the app authenticates with a token that GitHub can verify', async t => {
  const { requests, sent } = await sending(t, { status: 201 })
  await sent
  const [head, claims, signature] = requests[0]!.headers.authorization!.replace('Bearer ', '').split('.')
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  assert.deepEqual(decode(head!), { alg: 'RS256', typ: 'JWT' })
  const seconds = NOW / 1000
  const iss = operator.GITHUB_CLIENT_ID
  assert.deepEqual(decode(claims!), { iat: seconds - 60, exp: seconds + 540, iss })
  const signed = Buffer.from(`${head}.${claims}`)
  assert.ok(
    verify('RSA-SHA256', signed, createPublicKey(publicKey), Buffer.from(signature!, 'base64url')),
    'the signature fits the key',
  )
})

test('github: the private key may be on one line', async t => {
  const GITHUB_PRIVATE_KEY = privateKey.replaceAll('\n', '\\n')
  const { requests, sent } = await sending(t, { status: 201 }, { GITHUB_PRIVATE_KEY })
  await sent
  assert.equal(requests.length, 2)
})

test('github: an invalid key is reported without revealing it', async t => {
  const { sent } = await sending(t, { status: 201 }, { GITHUB_PRIVATE_KEY: 's3cretsecret' })
  await assert.rejects(sent, {
    name: 'DeliveryError',
    message: 'GITHUB_PRIVATE_KEY is not a private key in PEM form',
  })
})

test('github: a repository that is missing, hidden or without issues is a permanent failure', async t => {
  const failure = async (answer: Answer) => {
    const { sent } = await sending(t, answer)
    return sent.then(
      () => assert.fail('the issue was taken'),
      error => [error.message, error.options.permanent, error.options.retryAfterMs],
    )
  }
  const denied = 'GitHub denied access to alice/alpha.jobs'
  assert.deepEqual(await failure({ status: 404 }), [denied, true, undefined])
  assert.deepEqual(await failure({ status: 410 }), ['Received status code 410', true, undefined])
  assert.deepEqual(await failure({ status: 422 }), ['Received status code 422', false, undefined])
  const busy = { status: 403, headers: { 'retry-after': '7' } }
  assert.deepEqual(await failure(busy), ['Received status code 403', undefined, 7_000])
})

test('github: without an app nothing is sent', async () => {
  await assert.rejects(github.send(anAlert(), aDestination(github, settings), testWays()), {
    name: 'DeliveryError',
    message: 'GitHub notifications are not enabled.',
  })
})

test('github: a repository is named with its owner', () => {
  const named = (repo: string) => checkSettings(github, { ...settings, repo })
  assert.equal(github.describe(named('alice/alpha')), 'alice/alpha')
  for (const repo of ['alpha', 'alice/alpha/issues', '../alpha', 'alice/..', 'alice/a?b'])
    assert.throws(() => named(repo), { name: 'Refusal', field: 'repo' })
})
