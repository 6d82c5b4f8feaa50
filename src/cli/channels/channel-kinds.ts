import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { jsonOption, withExample } from '../options.js'
import { printJson, printTable } from '../print.js'

export function addChannelKinds(parent: Command): void {
  const command = parent
    .command('kinds')
    .argument('[kind]', 'a kind, to list its fields')
    .addOption(jsonOption())
    .description('List the kinds of channels, or the fields of one')
    .action(listKinds)
  withExample(command, 'punctual channel kinds webhook')
}

async function listKinds(kind: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { integrations, integrationOf } = await import('../../integrations/index.js')
  if (kind === undefined) {
    const kinds = integrations.map(({ kind, label }) => ({ kind, label }))
    if (json) return printJson(kinds)
    return printTable(
      ['KIND', 'NAME'],
      kinds.map(({ kind, label }) => [kind, label]),
      '',
    )
  }
  const integration = integrationOf(kind)
  if (!integration)
    throw new Refusal('not-found', `there is no kind of channel ${kind}: see \`punctual channel kinds\``)
  const fields = integration.fields
    .filter(({ setByService }) => !setByService)
    .map(({ name, required = false, default: byDefault = '', choices = [], help, label }) => ({
      ...{ name, required, default: byDefault, choices, help: help ?? label },
    }))
  if (json) return printJson(fields)
  printTable(
    ['FIELD', 'REQUIRED', 'DEFAULT', 'MEANING'],
    fields.map(({ name, required, default: byDefault, choices, help }) => [
      name,
      required ? 'yes' : '',
      byDefault.replaceAll('\n', ' ').slice(0, 40),
      choices.length > 0 ? `${help} (${choices.join(', ')})` : help,
    ]),
    'It has no fields.',
  )
}
