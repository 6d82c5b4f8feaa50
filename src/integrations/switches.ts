/** Settings and fields that many kinds declare: the operator's switch, webhook addresses and priorities. */

import { capitalize } from '../core/text/capitalize.js'
import type { Field } from './field.js'
import type { Destination, OperatorSetting } from './integration.js'

/** The operator's switch of a kind, which is on by default. Read by `requireEnabled`. */
export function enabledSwitch(name: string, what: string): OperatorSetting {
  return { name, type: 'flag', default: 'True', help: `Whether ${what} may be used.` }
}

/** The address of an incoming webhook. It is a secret, because anyone who knows it can post. */
export function webhookUrl(label: string, known: Pick<Field, 'help' | 'format'> = {}): Field {
  return {
    name: 'url',
    label,
    type: 'url',
    required: true,
    sensitive: true,
    maxLength: 1000,
    ...known,
  }
}

/**
 * A priority for each direction, from the service's numbers and their names. One of them turns the direction off; if it
 * is `0`, use `wantsByPriority`.
 */
export function priorityFields(priorities: ReadonlyMap<string, string>, byDefault: string): Field[] {
  const field = (direction: string, when: string): Field => ({
    name: `priority_${direction}`,
    label: `Priority when a check ${when}`,
    type: 'choice',
    choices: [...priorities.keys()],
    choiceLabels: Object.fromEntries(
      [...priorities].map(([number, word]) => [number, labelOf(number, word)]),
    ),
    default: byDefault,
    choosesAlerts: true,
  })
  return [field('down', 'goes down'), field('up', 'comes back up')]
}

function labelOf(number: string, word: string): string {
  return `${capitalize(word)} (${number})`
}

/** Whether a direction has a priority other than 0. */
export function wantsByPriority(settings: Readonly<Record<string, string>>, status: 'up' | 'down'): boolean {
  return settings[`priority_${status}`] !== '0'
}

/** The priority of a direction. */
export function priorityOf({ settings }: Destination, status: 'up' | 'down'): number {
  return Number(settings[`priority_${status}`])
}
