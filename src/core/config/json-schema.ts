/** The JSON Schema of files, for editors. The reader says the same more exactly. */
import { CHECK_SECTION, SCHEDULES } from './check-section.js'
import type { ConfigField } from './config-field.js'
import type { Json } from './project-config.js'
import { type ChannelSections, POLICY_SECTION, SILENCE_SECTION } from './sections.js'

type Schema = { readonly [name: string]: Json }

const KEYED = { pattern: '^[a-z0-9_-]{1,100}$' }

/** The schema of a file, by the tables of fields. `channels`: the fields of every kind. */
export function configSchema(channels: ChannelSections): Schema {
  const { slug: _, ...shared } = propertiesOf(CHECK_SECTION)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A project of Punctual',
    type: 'object',
    additionalProperties: false,
    properties: {
      project: { type: 'string', description: 'The name of the project, for people.' },
      defaults: { ...objectOf(shared), description: 'Fields of all checks of this file.' },
      channels: keyed({ type: 'object', oneOf: [...channels.values()].map(fields => strict(fields)) }),
      policies: keyed(strict(POLICY_SECTION)),
      checks: keyed({
        ...strict(CHECK_SECTION),
        not: { anyOf: pairs(SCHEDULES).map(required => ({ required })) },
      }),
      silences: keyed(strict(SILENCE_SECTION)),
      moved: {
        type: 'object',
        additionalProperties: { type: 'string', ...KEYED },
        description: 'From old keys to new ones: `old: new` for checks, `channels.old: new` for others.',
      },
    },
  }
}

function keyed(value: Schema): Schema {
  return { type: 'object', propertyNames: KEYED, additionalProperties: value }
}

function strict(fields: ReadonlyMap<string, ConfigField>): Schema {
  const required = [...fields].flatMap(([name, field]) => (field.required ? [name] : []))
  return { ...objectOf(propertiesOf(fields)), ...(required.length > 0 && { required }) }
}

function objectOf(properties: Schema): Schema {
  return { type: 'object', additionalProperties: false, properties }
}

function propertiesOf(fields: ReadonlyMap<string, ConfigField>): Record<string, Json> {
  return Object.fromEntries([...fields].map(([name, { schema = {} }]) => [name, schema]))
}

function pairs(names: readonly string[]): string[][] {
  return names.flatMap((one, place) => names.slice(place + 1).map(other => [one, other]))
}
