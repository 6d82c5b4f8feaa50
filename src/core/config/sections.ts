/** The fields of the objects of each section. */
import { POLICY_LIMITS } from '../incidents/policy.js'
import { REASON_MAX_LENGTH } from '../silences/limits.js'
import { CHECK_SECTION } from './check-section.js'
import { type ConfigField, fieldOf, isTextList, keysOf, replaceKeys } from './config-field.js'
import { readRepeat, readScope, readSteps, readWhen } from './nested-values.js'
import type { Json, Section, Values } from './project-config.js'

/** A kind of channel: what a file may set of it. The layer of integrations makes it from the table of the kind. */
export interface ChannelKind {
  kind: string
  fields: readonly ChannelField[]
}

export interface ChannelField {
  name: string
  required: boolean
  /** Whether this value is not to be shown. */
  isSecret(text: string): boolean
  /** Whether it is a list of other channels. */
  namesChannels: boolean
  byDefault: string
  /** The text as it is stored, or a sentence that says what would be right. */
  read(text: string): { value: string } | { problem: string }
}

const text = (maxLength: number, required = false): ConfigField => ({
  ...fieldOf({ is: 'text', maxLength }, ''),
  required,
})

export const POLICY_SECTION: ReadonlyMap<string, ConfigField> = new Map<string, ConfigField>([
  ['name', { ...text(POLICY_LIMITS.nameLength), byDefault: key => key }],
  ['default', fieldOf({ is: 'flag' }, false)],
  [
    'steps',
    {
      required: true,
      read: readSteps,
      byDefault: () => [{ after: 0, channels: 'check' }],
      mapKeys: (value, replace) =>
        (value as readonly { after: number; channels: Json }[]).map(({ after, channels }) => ({
          after,
          channels: isTextList(channels) ? replaceKeys(channels, 'channels', replace) : channels,
        })),
    },
  ],
  ['repeat', { read: readRepeat, byDefault: () => null }],
])

export const SILENCE_SECTION: ReadonlyMap<string, ConfigField> = new Map<string, ConfigField>([
  ['mode', fieldOf({ is: 'choice', words: ['hold', 'expect_nothing'] }, 'hold')],
  [
    'scope',
    {
      required: true,
      read: readScope,
      byDefault: () => ({ project: true }),
      mapKeys: (value, replace) => {
        const { checks } = value as { checks?: Json }
        return checks !== undefined && isTextList(checks)
          ? { checks: replaceKeys(checks, 'checks', replace) }
          : value
      },
    },
  ],
  ['channels', keysOf('channels', null)],
  ['when', { required: true, read: readWhen, byDefault: () => null }],
  ['reason', text(REASON_MAX_LENGTH)],
])

const CHANNEL_NAME_LENGTH = 100

/** The fields of channels of every kind, each by its kind. */
export type ChannelSections = ReadonlyMap<string, ReadonlyMap<string, ConfigField>>

export function channelSections(kinds: readonly ChannelKind[]): ChannelSections {
  return new Map(
    kinds.map(({ kind, fields }) => [
      kind,
      new Map<string, ConfigField>([
        [
          'kind',
          { ...fieldOf({ is: 'choice', words: [kind] }, null), required: true, schema: { const: kind } },
        ],
        ['name', text(CHANNEL_NAME_LENGTH)],
        ...fields.map(field => [field.name, channelField(field)] as const),
      ]),
    ]),
  )
}

function channelField({ required, isSecret, namesChannels, byDefault, read }: ChannelField): ConfigField {
  if (namesChannels) return { ...keysOf('channels', []), required }
  return {
    required,
    isSecret: value => isSecret(String(value)),
    read: value => (typeof value === 'object' ? { problem: 'Give a text.' } : read(String(value))),
    byDefault: () => byDefault,
    schema: { type: ['string', 'number', 'boolean', 'null'] },
  }
}

const NONE: ReadonlyMap<string, ConfigField> = new Map()

/** The fields of an object. `values`: for a channel, with its kind; none for a kind that does not exist. */
export function fieldsOf(
  section: Section,
  values: Pick<Values, 'get'>,
  channels: ChannelSections,
): ReadonlyMap<string, ConfigField> {
  if (section === 'checks') return CHECK_SECTION
  if (section === 'policies') return POLICY_SECTION
  if (section === 'silences') return SILENCE_SECTION
  return channels.get(String(values.get('kind'))) ?? NONE
}
