import { type Command, InvalidArgumentError } from 'commander'
import { Refusal } from '../../core/errors.js'
import { withExample } from '../options.js'
import { print } from '../print.js'
import { withStore } from '../with-store.js'
import { asksServer, type SourceOptions, withSource } from './choose-source.js'

export function addAck(program: Command): void {
  const command = withSource(program.command('ack'))
    .argument('<incident>', 'the ID of an open incident, see `punctual incidents`', parseId)
    .option('--note <text>', 'a note', '')
    .option(
      '--until <instant>',
      'when it counts as unacknowledged again, such as 2026-01-02T15:00Z',
      parseInstant,
    )
    .description('Acknowledge an incident: repeats and further steps stop, its recovery is sent')
    .action(ack)
  withExample(command, 'punctual ack 17 --note "On it" --until 2026-01-02T15:00Z')
}

/** Who acts on the command line, as timelines show it. */
const BY_COMMAND = 'command line'

interface Options extends SourceOptions {
  note: string
  until?: number
}

async function ack(id: number, options: Options): Promise<void> {
  if (await asksServer(options)) await askServer(id, options)
  else await writeStore(id, options)
  print(`Acknowledged incident ${id}.`)
}

async function writeStore(id: number, { note, until }: Options): Promise<void> {
  const { acknowledgeIncidents } = await import('../../actions/incidents/acknowledge-incidents.js')
  await withStore(async deps => {
    const projectId = await deps.store.incidents.projectOf(id)
    await acknowledgeIncidents(deps, projectId, { ids: [id], by: BY_COMMAND, note, until: until ?? null })
  })
}

/** Looks for the incident in every project of the token. */
async function askServer(id: number, options: Options): Promise<void> {
  const [{ ApiError }, { connect }] = await Promise.all([
    import('../../client/index.js'),
    import('../server/connection.js'),
  ])
  const until = options.until === undefined ? null : new Date(options.until).toISOString()
  for (const { api } of await (await connect(options)).projects()) {
    try {
      await api.acknowledgeIncident(id, { note: options.note, until })
      return
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
    }
  }
  throw new Refusal('not-found', `there is no incident ${id}`)
}

function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a number.')
  return Number(text)
}

function parseInstant(text: string): number {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const at = isInstant ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Write it as 2026-01-02T15:00Z or 2026-01-02T15:00+01:00.')
  return at
}
