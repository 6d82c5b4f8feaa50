import { Refusal } from '../../core/errors.js'
import type { ChannelSettings } from '../../integrations/field.js'
import { checkSettings } from '../../integrations/fields.js'
import { integrationOf } from '../../integrations/index.js'
import { hasMembers } from '../../integrations/members.js'
import { newUuid } from '../../lib/secrets/secrets.js'
import { isByProgram } from './add-by-program.js'
import { changedSettings } from './change-channel.js'
import { type Asker, addressToAsk } from './confirm-address.js'
import { attemptTest, type TestDeps, type TestResult } from './test-channel.js'

/** A channel as a form has it. */
export interface ChannelDraft {
  projectId: number
  kind: string
  name: string
  settings: ChannelSettings
  /** Null if no recipient has to agree. */
  asker: Asker
  /** The channel that the form changes, and the secrets that it keeps; null for a new one. */
  stored: { settings: ChannelSettings; confirmed: boolean; kept: readonly string[] } | null
}

/**
 * Sends one test with the settings of a form, before they are saved; nothing is stored. Throws a `Refusal` for settings that could
 * not be saved either, for groups, for an address whose owner has not agreed, and for a new channel whose recipient has to agree first.
 */
export async function testDraft(deps: TestDeps, draft: ChannelDraft): Promise<TestResult> {
  const { projectId, kind, name, asker, stored } = draft
  const integration = integrationOf(kind)
  if (!integration || hasMembers(integration)) {
    throw new Refusal('invalid', 'this kind of integration can be tested once it is saved')
  }
  if (stored === null && !isByProgram(integration)) {
    throw new Refusal('invalid', 'this can be tested once it is added')
  }
  const settings = stored
    ? changedSettings(integration, stored.settings, draft.settings, stored.kept)
    : checkSettings(integration, draft.settings)
  const isSameRecipient =
    stored !== null && integration.recipient?.(settings) === integration.recipient?.(stored.settings)
  const confirmed = isSameRecipient ? stored.confirmed : addressToAsk(kind, settings, asker) === null
  if (!confirmed) {
    throw new Refusal(
      'invalid',
      'the owner of this address has to confirm it first: a link is sent there when you save',
    )
  }
  return await attemptTest(deps, { uuid: newUuid(), projectId, kind, name, settings, confirmed })
}
