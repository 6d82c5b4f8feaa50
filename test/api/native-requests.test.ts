/**
 * Random requests to Punctual's own API, made from its document, by every kind of caller. `npm run test:requests` sends
 * 100,000 on SQLite and 20,000 on PostgreSQL.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ApiDocument } from '../../src/core/api-document.js'
import { type AnyRequest, anyRequest, targetsOf } from '../_support/native/requests/any-request.js'
import { RequestLaws } from '../_support/native/requests/laws.js'
import { openSide, type Side } from '../_support/native/requests/side.js'
import { engine } from '../_support/worlds/store.js'
import { openWorld } from '../_support/worlds/world.js'

const isLong = Boolean(process.env.PUNCTUAL_TEST_LONG)
const REQUESTS = Number(process.env.REQUESTS ?? (isLong ? (engine === 'sqlite' ? 100_000 : 20_000) : 300))
/** The number of requests before they have deleted and revoked too much. */
const FOR_EACH = 300
/** The number of requests before a new installation is opened: the store that is compared stays small. */
const FOR_WORLD = 3_000

/** What failed, without the documents of the operations. */
function reporter({ failed, errorInstance, seed, counterexamplePath }: fc.RunDetails<[AnyRequest]>): void {
  if (failed)
    throw new Error(`seed ${seed}, path ${counterexamplePath}: ${errorInstance}`, { cause: errorInstance })
}

test(`${REQUESTS} random requests are answered as documented, and show nobody what is not theirs`, async t => {
  const counts: Record<string, number> = {}
  let targets: ReturnType<typeof targetsOf> = []
  for (let begun = 0; begun < REQUESTS; begun += FOR_WORLD) {
    const end = Math.min(REQUESTS, begun + FOR_WORLD)
    await t.test(`requests ${begun + 1} to ${end}`, async () => {
      const world = await openWorld({ mailer: { async send() {} } })
      const document: ApiDocument = (await world.get('/api/punctual/v1/openapi.json')).json
      targets = targetsOf(document)
      for (let sent = begun; sent < end; sent += FOR_EACH) {
        const sides: [Side, Side] = [await openSide(world), await openSide(world)]
        const laws = new RequestLaws(world, document, sides, counts)
        const request = anyRequest(document, sides[0].requesters.length * 5)
        await fc.assert(
          fc.asyncProperty(request, async one => await laws.hold(one)),
          // A shorter history would have another state.
          { numRuns: Math.min(FOR_EACH, end - sent), endOnFailure: true, reporter },
        )
      }
    })
    if (isLong) console.log(`${end} of ${REQUESTS}, never succeeded: ${neverSucceeded(targets, counts)}`)
  }
  if (!isLong) return
  console.log(JSON.stringify(counts))
  assert.deepEqual(neverSucceeded(targets, counts), [], 'never succeeded')
})

function neverSucceeded(targets: ReturnType<typeof targetsOf>, counts: Record<string, number>): string[] {
  const succeeded = new Set(
    Object.keys(counts).flatMap(name => (/ 2\d\d$/.test(name) ? [name.split(' ')[0]] : [])),
  )
  const names = targets.map(({ documented }) => documented.operationId)
  return names.filter(name => !succeeded.has(name))
}
