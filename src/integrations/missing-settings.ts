import type { Integration } from './integration.js'
import type { Operator } from './setup.js'

/** The operator's settings that must still be set before channels of this kind can send, in the format of `missingOf`. */
export function missingToSend(integration: Integration, operator: Operator): string[] {
  return missingOf(integration.needs ?? [], operator)
}

/** The settings that must still be set before a channel of this kind can be added in any way. */
export function missingToAdd(integration: Integration, operator: Operator): string[] {
  const { setup } = integration
  const onlyThere = setup?.way === 'authorise' && !setup.byHand
  return [
    ...missingToSend(integration, operator),
    ...(onlyThere ? missingToConnect(integration, operator) : []),
  ]
}

/** The settings that must still be set before a channel of this kind can be connected at the service. */
export function missingToConnect({ setup }: Integration, operator: Operator): string[] {
  return setup?.way === 'authorise' ? missingOf(setup.needs, operator) : []
}

/**
 * The names in `needs` that are empty or off. If one of several is enough and none is set, they are joined: `A or B`.
 */
function missingOf(needs: NonNullable<Integration['needs']>, operator: Operator): string[] {
  const isThere = (name: string) => !['', 'false'].includes(operator[name] ?? '')
  return needs
    .map(need => [need].flat())
    .filter(names => !names.some(isThere))
    .map(names => names.map(name => `\`${name}\``).join(' or '))
}
