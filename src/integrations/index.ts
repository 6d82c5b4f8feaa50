import type { Integration } from './integration.js'

const integrations: readonly Integration[] = []

/** The integration for a kind of channel, or undefined. */
export function integrationOf(kind: string): Integration | undefined {
  return integrations.find(integration => integration.kind === kind)
}
