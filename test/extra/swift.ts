/** OpenStack Swift with its S3 interface, all four servers on this machine: what the client of object storage is tried against. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client } from '../../src/lib/s3/s3-client.js'
import { freePort } from '../_support/servers/free-port.js'

const SERVERS = ['account', 'container', 'object', 'proxy'] as const
const NEEDED = [
  ...SERVERS.map(name => `/usr/bin/swift-${name}-server`),
  '/usr/bin/swift-ring-builder',
  '/etc/swift/swift.conf',
]

/** What is absent, or null. */
export function missingForSwift(): string | null {
  return NEEDED.every(existsSync)
    ? null
    : 'OpenStack Swift (Debian packages swift-proxy, swift-account, swift-container, swift-object)'
}

/** Puts, reads and deletes objects through Swift's S3 interface, which verifies signatures and bodies. */
export async function throughSwift(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-swift-'))
  chmodSync(folder, 0o755)
  const running: ChildProcess[] = []
  try {
    const ports = { account: 0, container: 0, object: 0, proxy: 0 }
    for (const name of SERVERS) ports[name] = await freePort()
    for (const name of SERVERS) {
      writeFileSync(
        join(folder, `${name}.conf`),
        name === 'proxy' ? proxyConf(folder, ports.proxy) : serverConf(folder, name, ports[name]),
      )
      if (name !== 'proxy') makeRing(folder, name, ports[name])
    }
    mkdirSync(join(folder, 'disk'), { recursive: true })
    for (const name of SERVERS) {
      running.push(
        spawn(`/usr/bin/swift-${name}-server`, [join(folder, `${name}.conf`), '-v'], { stdio: 'ignore' }),
      )
    }
    const options = {
      endpoint: `127.0.0.1:${ports.proxy}`,
      secure: false,
      region: 'us-east-1',
      bucket: 'ping-bodies',
      accessKey: 'test:tester',
      secretKey: 'testing',
      timeoutMs: 10_000,
      maxBytes: 1_000_000,
    }
    const client = new S3Client(options)
    const stranger = new S3Client({ ...options, secretKey: 'wrong' })
    try {
      await untilMade(client)
      await tryObjects(client)
      await assert.rejects(stranger.put('check/zi-1', new Uint8Array(200)), { code: 'SignatureDoesNotMatch' })
    } finally {
      await client.close()
      await stranger.close()
    }
    console.log('Swift took, gave and deleted what the program asked it to, and refused a wrong secret')
    return true
  } finally {
    for (const child of running) {
      if (child.exitCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryObjects(client: S3Client): Promise<void> {
  const body = Uint8Array.from({ length: 10_000 }, (_, index) => index % 256)
  const keys = Array.from({ length: 30 }, (_, n) => `3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11/zi-${n}`)
  await Promise.all(keys.map(key => client.put(key, body)))
  assert.deepEqual(await client.get(keys[7]!), body)
  assert.equal(await client.get('3cba109f/never-was'), null)
  assert.deepEqual(await client.remove([...keys.slice(1), '3cba109f/never-was']), [])
  assert.equal(await client.get(keys[7]!), null)
  assert.deepEqual(await client.get(keys[0]!), body)
}

/** Makes the bucket, once the servers answer. */
async function untilMade(client: S3Client): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await client.put('', new Uint8Array())
      return
    } catch (error) {
      if (tries >= 100) throw error
      await sleep(200)
    }
  }
}

function makeRing(folder: string, name: string, port: number): void {
  const builder = join(folder, `${name}.builder`)
  for (const args of [
    ['create', '4', '1', '1'],
    ['add', `r1z1-127.0.0.1:${port}/disk`, '1'],
    ['rebalance'],
  ]) {
    const { status, stdout } = spawnSync('/usr/bin/swift-ring-builder', [builder, ...args], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`swift-ring-builder ${args[0]} failed: ${stdout}`)
  }
}

function serverConf(folder: string, name: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}
mount_check = false
workers = 0
fallocate_reserve = 0
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
allow_open_expired = false
`
}

function proxyConf(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${folder}
workers = 0
[pipeline:main]
pipeline = catch_errors gatekeeper cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
`
}
