import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import {
  ApiError,
  type BadgeSet,
  type Channel,
  type CheckFields,
  type Flip,
  type NewCheckFields,
  type Ping,
  Pinger,
  PunctualClient,
  type ReadOnlyCheck,
  type ReadWriteCheck,
} from '../../src/client/index.js'
import type { checkFields } from '../../src/http/api/checks/check-fields.js'
import type * as schemas from '../../src/http/api/schemas.js'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world
const url = `${world.root}/`
const client = new PunctualClient({ url, apiKey: alice.rw })
const reader = new PunctualClient<ReadOnlyCheck>({ url, apiKey: alice.ro })

/** Compiles only where each type can stand for the other. */
type Same<A extends B, B extends C, C = A> = [A, B, C]
type Plain<T> = { [K in keyof T]-?: Exclude<T[K], undefined> }
type Wire<T extends z.ZodType> = Plain<z.infer<T>>
export type ClientTypesAreTheSchemas = [
  Same<NewCheckFields, z.input<ReturnType<typeof checkFields>>>,
  Same<Omit<NewCheckFields, 'unique'>, CheckFields>,
  Same<Plain<ReadWriteCheck>, Wire<ReturnType<typeof schemas.readWriteCheckSchema>>>,
  Same<Plain<ReadOnlyCheck>, Wire<ReturnType<typeof schemas.readOnlyCheckSchema>>>,
  Same<Plain<Ping>, Wire<ReturnType<typeof schemas.pingSchema>>>,
  Same<Flip, Wire<ReturnType<typeof schemas.flipSchema>>>,
  Same<Channel, Wire<ReturnType<typeof schemas.channelSchema>>>,
  Same<BadgeSet, Wire<ReturnType<typeof schemas.badgeSetSchema>>>,
]

test('the client makes, finds, changes, pauses, resumes and deletes checks', async () => {
  const made = await client.createCheck({ name: 'Backup', slug: 'backup', tags: 'prod db', timeout: 3600 })
  assert.equal((await client.createCheck({ slug: 'backup', unique: ['slug'] })).uuid, made.uuid)
  assert.deepEqual(await client.getCheck(made.uuid), made)
  assert.deepEqual(await client.listChecks({ slug: 'backup', tags: ['db', 'prod'] }), [made])
  assert.deepEqual(await client.listChecks({ tags: ['other'] }), [])
  assert.equal((await client.updateCheck(made.uuid, { desc: 'changed' })).desc, 'changed')
  assert.equal((await client.pauseCheck(made.uuid)).status, 'paused')
  assert.equal((await client.resumeCheck(made.uuid)).status, 'new')
  assert.equal((await client.deleteCheck(made.uuid)).uuid, made.uuid)
  assert.deepEqual(await client.listChecks(), [])
})

test('with a read-only key checks have no UUID', async () => {
  const { uuid } = await client.createCheck()
  const [check] = await reader.listChecks()
  assert.ok(!JSON.stringify(check).includes(uuid))
  assert.deepEqual(await reader.getCheck(check!.unique_key), check)
  assert.deepEqual(await reader.listFlips(check!.unique_key), [])
  await client.deleteCheck(uuid)
})

test('an answer that says no is thrown with its status and the server’s words', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000'
  const refused = async (promise: Promise<unknown>, status: number, message: string) =>
    await assert.rejects(promise, (error: unknown) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.status, error.message], [status, message])
      return true
    })
  await refused(client.getCheck(unknown), 404, 'check not found')
  await refused(client.createCheck({ timeout: 1 }), 400, 'json validation error: timeout is too small')
  await refused(reader.createCheck(), 401, 'wrong api key')
  const { uuid } = await client.createCheck()
  await refused(client.resumeCheck(uuid), 409, 'check is not paused')
  await refused(new Pinger({ url }, { uuid: unknown }).success(), 404, 'not found')
})

test('the client sends a ping later', async () => {
  const { uuid } = await client.createCheck()
  const at = new Date(world.clock.now() - 3_600_000)
  await new Pinger({ url }, { uuid }).success({ at })
  assert.equal(Date.parse((await client.getCheck(uuid)).last_ping!), at.getTime())
})

test('the client pings, and reads the log, the bodies and the flips', async () => {
  const { uuid } = await client.createCheck()
  const pinger = new Pinger({ url }, { uuid })
  const rid = '9c5a1bd1-6c1e-4d6c-8a4e-0f2b8c3d4e5f'
  await pinger.start({ rid })
  await pinger.log({ body: 'half way' })
  await pinger.success({ rid })
  await pinger.exitStatus(3)
  await pinger.fail({ body: new Uint8Array([0, 255]) })
  const pings = await client.listPings(uuid)
  assert.equal(pings.map(ping => ping.type).join(), 'fail,fail,success,log,start')
  assert.equal(pings[2]!.duration, 0)
  assert.deepEqual(await client.getPingBody(uuid, 5), new Uint8Array([0, 255]))
  assert.deepEqual(
    (await client.listFlips(uuid)).map(flip => flip.up),
    [0, 1],
  )
  const end = world.clock.now() / 1000
  assert.deepEqual(await client.listFlips(uuid, { end, start: 0, seconds: 60 }), [])
})

test('a slug is pinged with the ping key, and made when that is asked for', async () => {
  const pinger = new Pinger({ url }, { pingKey: alice.pingKey, slug: 'new-job' })
  await assert.rejects(pinger.success(), ApiError)
  await pinger.success({ create: true })
  assert.equal((await client.listChecks({ slug: 'new-job' }))[0]!.status, 'up')
})

test('run wraps a job in a start and a success, or a failure with the error', async () => {
  const { uuid } = await client.createCheck()
  const pinger = new Pinger({ url }, { uuid })
  assert.equal(await pinger.run(() => 'result'), 'result')
  const failing = async () => {
    throw new Error('disk full')
  }
  await assert.rejects(pinger.run(failing), /disk full/)
  const pings = await client.listPings(uuid)
  assert.equal(pings.map(ping => ping.type).join(), 'fail,start,success,start')
  assert.notEqual(pings[0]!.rid, pings[2]!.rid)
  assert.match(Buffer.from(await client.getPingBody(uuid, 4)).toString(), /disk full/)
})

test('a ping that cannot be sent changes nothing for the job', async () => {
  const pinger = new Pinger({ url }, { uuid: '00000000-0000-4000-8000-000000000000' })
  const errors: unknown[] = []
  assert.equal(
    await pinger.run(
      () => 'done',
      error => errors.push(error),
    ),
    'done',
  )
  assert.equal(errors.length, 2)
})

test('channels and badges are listed', async () => {
  const { projectId } = alice
  const now = world.clock.now()
  await world.store.channels.create({
    projectId,
    name: 'Ops',
    kind: 'webhook',
    settings: {},
    members: [],
    now,
  })
  assert.equal((await client.listChannels())[0]!.name, 'Ops')
  assert.match((await reader.listBadges())['*']!.svg, /^http/)
})
