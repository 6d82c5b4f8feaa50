/**
 * Random requests against a model of what they should do: `npm run test:fuzz`, with the number of requests after `--`
 * (100,000 by default). No answer may be a 5xx, no key may see another project, and after each step status, counts,
 * due times and flips must be what the model says.
 */
import { test } from 'node:test'
import { fuzz } from '../_support/fuzz/fuzz.js'
import { openWorld } from '../_support/worlds/world.js'

const REQUESTS = Number(process.argv[2] ?? 100_000)
const world = await openWorld()

test(`${REQUESTS} random requests do what a model says, see no other project, and break nothing`, async () => {
  await fuzz(world, REQUESTS)
})
