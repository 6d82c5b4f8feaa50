import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { S3Client } from '../../../src/lib/s3/s3-client.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { openS3Server } from '../../_support/servers/s3-server.js'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))

test('an object is read back byte for byte, and a missing one as null', async t => {
  const client = (await openS3Server(t)).client()
  const body = Uint8Array.from({ length: 5_000 }, (_, index) => index % 256)
  await client.put('check/yij-10', body)
  assert.deepEqual(await client.get('check/yij-10'), body)
  assert.equal(await client.get('check/yij-11'), null)
})

test('many objects are deleted in one request, whether they exist or not', async t => {
  const server = await openS3Server(t)
  const client = server.client()
  const keys = Array.from({ length: 20 }, (_, n) => `check/object-${n}`)
  for (const key of keys) await client.put(key, bytes(key))
  assert.deepEqual(await client.remove([...keys.slice(0, 19), 'check/never-was']), [])
  assert.deepEqual(await server.keys(), [keys[19]])
})

test('a wrong secret, a wrong key and a missing bucket have their own error codes', async t => {
  const server = await openS3Server(t)
  const refused = (options: object, code: string) =>
    assert.rejects(server.client(options).put('check/object', bytes('x')), { name: 'S3Error', code })
  await refused({ secretKey: 'wrong' }, 'SignatureDoesNotMatch')
  await refused({ accessKey: 'nobody' }, 'InvalidAccessKeyId')
  await refused({ bucket: 'elsewhere' }, 'NoSuchBucket')
  await assert.rejects(server.client({ bucket: 'elsewhere' }).get('check/object'), { code: 'NoSuchBucket' })
  assert.deepEqual(await server.keys(), [])
})

test('a storage that is down or too slow is unreachable', async t => {
  const server = await openS3Server(t)
  const client = server.client()
  await server.stop()
  await assert.rejects(client.get('check/object'), { name: 'S3Error', code: 'Unreachable' })
  const slow = server.client({ endpoint: await silentServer(t) })
  await assert.rejects(slow.get('check/object', 50), { name: 'S3Error', code: 'Unreachable' })
})

test('an object beyond the limit is not read to its end', async t => {
  const server = await openS3Server(t)
  await server.client().put('check/large', new Uint8Array(3_000))
  await assert.rejects(server.client({ maxBytes: 2_999 }).get('check/large'), { code: 'TooLarge' })
})

test('keys that the storage could not delete are returned', async t => {
  const { port } = await openRecorder(t, () => ({
    body: '<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>',
  }))
  const client = clientOf(t, `127.0.0.1:${port}`)
  assert.deepEqual(await client.remove(['a', 'b']), ['b'])
})

test('connections are reused', async t => {
  const sockets = new Set<unknown>()
  const { port } = await openRecorder(t, (_request, response) => {
    sockets.add(response.socket)
    return {}
  })
  const client = clientOf(t, `127.0.0.1:${port}`)
  for (let n = 0; n < 5; n++) await client.get('check/object')
  assert.equal(sockets.size, 1)
})

function clientOf(t: TestContext, endpoint: string): S3Client {
  const client = new S3Client({
    endpoint,
    secure: false,
    region: 'us-east-1',
    bucket: 'bucket',
    accessKey: 'key',
    secretKey: 'secret',
    timeoutMs: 60_000,
    maxBytes: 1_000,
  })
  t.after(() => client.close())
  return client
}

/** The address of a server that takes connections and says nothing. */
async function silentServer(t: TestContext): Promise<string> {
  const server = createServer(socket => t.after(() => socket.destroy()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
