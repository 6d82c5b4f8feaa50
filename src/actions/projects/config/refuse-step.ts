import { Refusal } from '../../../core/errors.js'
import { editableFields, type Installation, pageToFinish } from '../../channels/add-by-program.js'
import type { ChannelStep } from './apply-config.js'

/** Throws a `Refusal` if a file cannot create a channel of this kind, or not change these fields of it. */
export function refuseStep(
  { integration, isNew, changed }: ChannelStep,
  installation: Installation,
  projectUuid: string,
): void {
  if (isNew) {
    const toFinish = pageToFinish(installation, integration, projectUuid)
    if (toFinish === null) return
    throw new Refusal('invalid', `${toFinish.reason}: add it at ${toFinish.setup_url} first.`, 'kind')
  }
  const editable = editableFields(integration)
  const fixed = changed.find(name => name !== 'name' && !editable.some(field => field.name === name))
  if (fixed !== undefined) throw new Refusal('invalid', 'This field cannot be changed.', fixed)
}
