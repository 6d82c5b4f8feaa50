/** The built program with object storage. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshInstallation, installationWithProject, punctual, serving } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { BUCKET, openS3Server } from '../../_support/servers/s3-server.js'

const OUTPUT = 'copied a file\n'.repeat(40)

test('large bodies move to the bucket and are deleted with their check', async t => {
  const storage = await openS3Server(t)
  const { env, apiKey, pingKey } = await installationWithProject(t, {
    S3_ENDPOINT: `127.0.0.1:${storage.port}`,
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY: 'S3RVER',
    S3_SECRET_KEY: 'S3RVER',
    S3_SECURE: 'False',
  })
  const server = await serving(t, env)
  const ping = await fetch(`${server.url}/ping/${pingKey}/job?create=1`, { method: 'POST', body: OUTPUT })
  assert.equal(ping.status, 201)
  const api = async (path: string, method = 'GET') =>
    await fetch(`${server.url}/api/v3/${path}`, { method, headers: { 'X-Api-Key': apiKey } })
  const { checks } = (await (await api('checks/')).json()) as { checks: { uuid: string }[] }
  const body = async () => await (await api(`checks/${checks[0]!.uuid}/pings/1/body`)).text()
  assert.equal(await body(), OUTPUT)
  await eventually(async () => ((await storage.keys()).length === 1 ? true : null))
  assert.equal(await body(), OUTPUT)
  await api(`checks/${checks[0]!.uuid}`, 'DELETE')
  await eventually(async () => ((await storage.keys()).length === 0 ? true : null))
  assert.equal(await server.end('SIGTERM'), 0)
})

test('a bucket without a key and an endpoint stops the start', async t => {
  const env = await freshInstallation(t, { S3_BUCKET: BUCKET, S3_ENDPOINT: 'https://s3.example.org' })
  const { code, stderr } = await punctual(env, ['serve'])
  assert.equal(code, 1)
  assert.match(stderr, /S3_ENDPOINT must be a host with an optional port/)
  assert.match(stderr, /S3_ACCESS_KEY must be set when S3_BUCKET is/)
})
