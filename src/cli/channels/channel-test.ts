import { inspect } from 'node:util'
import type { Command } from 'commander'
import type { TestResult } from '../../actions/channels/test-channel.js'
import { Refusal } from '../../core/errors.js'
import { withRemedy } from '../../lib/http/fetch-error.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { type CommandContext, withStore } from '../with-store.js'

export function addChannelTest(parent: Command): void {
  const command = parent
    .command('test')
    .argument('<id>', 'the ID of the channel, see `punctual channel list`')
    .addOption(jsonOption())
    .description(
      'Send a test notification through a channel and print the result; fails if it was not delivered',
    )
    .action(test)
  withExample(command, 'punctual channel test 8e7e051e-…')
}

async function test(id: string, options: { json?: boolean }): Promise<void> {
  const results = await withStore(workplace => sendTest(workplace, id))
  const failed = results.filter(({ error }) => error !== '')
  if (options.json) {
    printJson(results.map(({ durationMs, ...result }) => ({ ...result, duration_ms: durationMs })))
  } else {
    for (const { kind, channel, durationMs } of results.filter(({ error }) => error === '')) {
      print(`Delivered through ${kind} ${channel} in ${durationMs} ms.`)
    }
  }
  if (failed.length === 0) return
  const reasons = failed.map(({ kind, channel, error }) => `${kind} ${channel}: ${error}`)
  throw new Refusal(
    'unavailable',
    `the test notification was not delivered: ${withRemedy(reasons.join('; '))}`,
  )
}

async function sendTest({ config, store }: CommandContext, id: string): Promise<TestResult[]> {
  const [{ testChannel }, { createDeliveryDeps, createProcessTransports }, { withSecretKey }] =
    await Promise.all([
      import('../../actions/channels/test-channel.js'),
      import('../../compose/delivery.js'),
      import('../read-config.js'),
    ])
  const delivery = createDeliveryDeps(withSecretKey(config), createProcessTransports(config), {
    store,
    worker: 'test',
    bodies: null,
    onDelivery: () => {},
    // A command has no log.
    onError: error => process.stderr.write(`${inspect(error)}\n`),
  })
  return await testChannel({ ...delivery, store }, id.trim().toLowerCase())
}
