import type { ChannelKind } from '../core/config/sections.js'
import { Refusal } from '../core/errors.js'
import type { Field } from './field.js'
import { checkField, maskSettings } from './fields.js'
import { integrations } from './index.js'

/** What a file of configuration may set of each kind of channel: everything that services do not set themselves. */
export function channelKinds(): ChannelKind[] {
  return integrations.map(({ kind, fields }) => ({
    kind,
    fields: fields.filter(({ setByService }) => !setByService).map(channelField),
  }))
}

function channelField(field: Field): ChannelKind['fields'][number] {
  const { name, required = false, type, default: byDefault = '' } = field
  return {
    name,
    required,
    namesChannels: type === 'channels',
    byDefault: type === 'flag' && byDefault === '' ? 'false' : byDefault,
    isSecret: text => maskSettings({ fields: [field] }, { [name]: text })[name] !== text,
    read: text => {
      try {
        return { value: checkField(field, text) }
      } catch (error) {
        if (error instanceof Refusal) return { problem: error.message }
        throw error
      }
    },
  }
}
