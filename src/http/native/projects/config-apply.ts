import { applyConfig, type ChannelStep, type ToAsk } from '../../../actions/projects/config/apply-config.js'
import type { Planned } from '../../../actions/projects/config/plan-config.js'
import { refuseStep } from '../../../actions/projects/config/refuse-step.js'
import { Refusal } from '../../../core/errors.js'
import { installationOf } from '../../operator.js'
import { askerOf, askForConsent } from '../channels/ask.js'
import { requireRole } from '../channels/kind.js'
import { prepared } from '../channels/settings.js'
import type { NativeCall } from '../native-operation.js'
import { FieldRefusal } from '../problem.js'
import { authorOf } from '../serve/person.js'

/** Makes the steps of a plan as the caller, and asks for the consent of recipients. Throws a `Refusal`. */
export async function applyFor(
  call: NativeCall,
  planned: Planned & { projectId: number; owner: string },
): Promise<void> {
  const { deps, access } = call
  const project = await deps.store.projects.findById(planned.projectId)
  if (!project) throw new Refusal('not-found', 'project not found')
  const prepare = async (step: ChannelStep) => {
    const { integration, settings } = step
    requireRole(access, integration.kind)
    refuseStep(step, installationOf(deps), project.uuid)
    const asker = await askerOf(call, integration)
    return { settings: await prepared(call, integration.kind, settings), asker }
  }
  const ask = async (channels: readonly ToAsk[]) => {
    for (const { uuid: channelUuid, address, asker } of channels)
      await askForConsent(call, { channelUuid, address, project: project.name, asker })
  }
  const applier = { prepare, ask, by: authorOf(access), author: access.author }
  await applyConfig(deps.store, deps.clock, planned, applier).catch(error => {
    if (!(error instanceof Refusal) || error.code !== 'invalid' || error.field === undefined) throw error
    throw refused(error.field, error.message)
  })
}

function refused(field: string, detail: string): FieldRefusal {
  return new FieldRefusal([{ detail, pointer: `/document/${field}` }])
}
