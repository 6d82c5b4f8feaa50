import type { Command } from 'commander'
import type { Config } from '../../config.js'
import { Refusal } from '../../core/errors.js'
import { jsonOption, projectOption, withExample } from '../options.js'
import { printJson, warn } from '../print.js'
import { findProject } from '../projects/find-project.js'
import { withStore } from '../with-store.js'

export function addChannelAdd(parent: Command): void {
  const command = parent
    .command('add')
    .alias('create')
    .addOption(projectOption())
    .requiredOption('--kind <kind>', 'the kind of channel, see `punctual channel kinds`')
    .option('--name <name>', 'the name of the channel', '')
    .option(
      '--set <field=value>',
      'set a field of the channel, see `punctual channel kinds KIND`; may be repeated',
      collectValues,
      [],
    )
    .addOption(jsonOption().hideHelp())
    .description('Add a channel, link it to all checks of the project, and print it as JSON')
    .action(add)
  withExample(
    command,
    'punctual channel add --project 6f1c1a5e-… --kind webhook --name Chat --set url_down=https://example.org/hook',
  )
}

interface Options {
  project: string
  kind: string
  name: string
  set: string[]
}

async function add({ project, kind, name, set }: Options): Promise<void> {
  const settings = parseSettings(set)
  const { addChannel } = await import('../../actions/channels/add-channel.js')
  const channel = await withStore(async ({ config, store, clock }) => {
    const { id: projectId } = await findProject(store, project)
    const prepared = await prepare(config, kind, settings).catch(withField)
    const wanted = { projectId, kind, name, settings: prepared, asker: null, by: null }
    const added = await addChannel(store, clock, wanted).catch(withField)
    await warnOfNoMail(kind, config)
    return added
  })
  printJson({ uuid: channel.uuid, id: channel.uuid, kind: channel.kind, name: channel.name })
}

async function prepare(config: Config, kind: string, settings: Record<string, string>) {
  const [{ prepareChannel }, { createProcessTransports }, { integrationOf }, { createTransports }] =
    await Promise.all([
      import('../../actions/channels/prepare-channel.js'),
      import('../../compose/delivery.js'),
      import('../../integrations/index.js'),
      import('../../integrations/create-transports.js'),
    ])
  const integration = integrationOf(kind)
  if (!integration) return settings
  const transports = createTransports(createProcessTransports(config))
  return await prepareChannel({ operator: config.operator, transports }, integration, settings)
}

/** Warns if the channel sends e-mail and no mail server is set. Not an error, because one may be set later. */
async function warnOfNoMail(kind: string, config: Config): Promise<void> {
  const { integrationOf } = await import('../../integrations/index.js')
  if (config.EMAIL_HOST !== '' || !integrationOf(kind)?.recipient) return
  warn('EMAIL_HOST is not set: this channel sends nothing until it is')
}

function parseSettings(pairs: readonly string[]): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const pair of pairs) {
    const [, field, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (field === undefined)
      throw new Refusal('invalid', `--set takes FIELD=VALUE, not ${JSON.stringify(pair)}`)
    if (field in settings) throw new Refusal('invalid', `--set names the field ${field} twice`)
    settings[field] = value!
  }
  return settings
}

/** Adds the field's name to the message. Forms show the message beside the field, so it does not name it. */
function withField(error: unknown): never {
  if (error instanceof Refusal && error.field && !error.message.includes(error.field)) {
    throw new Refusal(error.code, `${error.field}: ${error.message}`)
  }
  throw error
}

function collectValues(value: string, before: string[]): string[] {
  return [...before, value]
}
