/** Fields that many kinds share. */
import { Refusal } from '../core/errors.js'
import type { ChannelSettings, Field } from './field.js'
import type { Integration } from './integration.js'
import { hasMembers } from './members.js'

const BOTH = 'down and up'
const DIRECTIONS: Record<string, readonly ('up' | 'down')[]> = {
  [BOTH]: ['down', 'up'],
  'down only': ['down'],
  'up only': ['up'],
}

/** For kinds without their own choice of directions. */
const tell: Field = {
  name: 'tell',
  label: 'Notify on',
  type: 'choice',
  choices: Object.keys(DIRECTIONS),
  default: BOTH,
  help: 'Which status changes are sent.',
  choosesAlerts: true,
  advanced: true,
}

/** For kinds that combine alerts. */
const hourlyLimit: Field = {
  name: 'hourly_limit',
  label: 'Messages per hour',
  type: 'number',
  default: '30',
  help:
    'After this many messages in an hour, further alerts are held and sent as one summary. ' +
    'Recoveries are counted separately. 0: no limit.',
  choosesAlerts: true,
  advanced: true,
}

/** The maximum number of messages per hour to a channel; 0 for no limit. */
export function hourlyLimitOf(settings: ChannelSettings): number {
  return Number(settings[hourlyLimit.name] ?? hourlyLimit.default)
}

/** Whether alerts for this channel may be combined and held back; see `Integration.groups`. */
export function mayGroup({ groups = false }: Integration, settings: ChannelSettings): boolean {
  return typeof groups === 'function' ? groups(settings) : groups
}

/** Adds the common fields that apply to a kind, and their behaviour. */
export function withCommonFields(integration: Integration): Integration {
  const fields = [...integration.fields]
  const choosesAlready = integration.wants !== undefined || hasMembers(integration)
  if (!choosesAlready) fields.push(tell)
  if (integration.groups) fields.push(hourlyLimit)
  if (fields.length === integration.fields.length) return integration
  return {
    ...integration,
    fields,
    ...(choosesAlready ? {} : { wants }),
    check(settings) {
      if (integration.groups && hourlyLimitOf(settings) < 0) {
        throw new Refusal('invalid', 'Enter 0 or more.', hourlyLimit.name)
      }
      return integration.check?.(settings) ?? settings
    },
  }
}

/** Channels from before this field existed report both directions. */
function wants(settings: ChannelSettings, status: 'up' | 'down'): boolean {
  return (DIRECTIONS[settings[tell.name] ?? BOTH] ?? []).includes(status)
}
